// SPDX-License-Identifier: MIT
//
// See data_form.hpp. The predefined forms.
#include "smpi/file/data_form.hpp"

#include <algorithm>
#include <array>

#include "smpi/datatype/external.hpp"
#include "smpi/datatype/pack.hpp"

namespace rehearse::smpi {
namespace {

class MemoryForm final : public DataForm {
 public:
  explicit MemoryForm(std::string_view name) : name_(name) {}
  std::string_view name() const override { return name_; }
  bool is_memory() const override { return true; }
  std::int64_t size_of(const BasicType& basic) const override { return basic.size; }
  std::string write(const TypedBuffer& from, std::vector<std::byte>& file) const override {
    const PackedData packed(*from.type, from.count, from.address);
    file.assign(packed.bytes().begin(), packed.bytes().end());
    return {};
  }
  std::string read(std::span<const std::byte> file, const TypedBuffer& to) const override {
    if (!file.empty()) unpack(*to.type, to.count, file, to.address);
    return {};
  }

 private:
  std::string_view name_;
};

class External32 final : public DataForm {
 public:
  std::string_view name() const override { return "external32"; }
  std::int64_t size_of(const BasicType& basic) const override { return external_size(basic); }
  std::string write(const TypedBuffer& from, std::vector<std::byte>& file) const override {
    const PackedData packed(*from.type, from.count, from.address);
    file = to_external(*from.type, from.count, packed.bytes());
    return {};
  }
  std::string read(std::span<const std::byte> file, const TypedBuffer& to) const override {
    std::vector<std::byte> whole(file.begin(), file.end());
    whole.resize(static_cast<std::size_t>(bytes_of(*to.type) * to.count));
    std::vector<std::byte> native = from_external(*to.type, to.count, whole);
    native.resize(static_cast<std::size_t>(memory_bytes(*to.type, static_cast<std::int64_t>(file.size()))));
    if (!native.empty()) unpack(*to.type, to.count, native, to.address);
    return {};
  }
};

const MemoryForm native("native"), internal("internal");
const External32 external32;

}  // namespace

std::int64_t DataForm::bytes_of(const Datatype& type) const {
  if (is_memory()) return type.size();
  return bytes_in_file(type, [this](const BasicType& basic) { return size_of(basic); });
}

DatatypeRef DataForm::type_in_file(const Datatype& type) const {
  if (is_memory() || (!is_registered() && bytes_of(type) == type.size())) return DatatypeRef(&type);
  return smpi::type_in_file(type, [this](const BasicType& basic) { return size_of(basic); });
}

std::int64_t DataForm::memory_bytes(const Datatype& type, std::int64_t file_bytes) const {
  if (is_memory()) return file_bytes;
  return elements_in(type, file_bytes, [this](const BasicType& basic) { return size_of(basic); }).bytes;
}

const DataForm& native_form() { return native; }

const DataForm* find_predefined_form(std::string_view name) {
  for (const DataForm* form : std::array<const DataForm*, 3>{&native, &internal, &external32})
    if (form->name() == name) return form;
  return nullptr;
}

}  // namespace rehearse::smpi
