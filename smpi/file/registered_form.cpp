// SPDX-License-Identifier: MIT
//
// Data representations of the program, and the calls that register them.
//
// Source: MPI 5.0, 14.5.3.
#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "simcore/support/format.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/datatype/pack.hpp"
#include "smpi/datatype/table.hpp"
#include "smpi/file/data_form.hpp"
#include "smpi/per_rank.hpp"

namespace rehearse::smpi {
namespace {

// The functions by which the program converts data: those of MPI_Register_datarep or of its large-count form. Without
// one (MPI_CONVERSION_FN_NULL), the data are as in memory.
struct Conversion {
  MPI_Datarep_conversion_function* plain = nullptr;
  MPI_Datarep_conversion_function_c* large = nullptr;
  bool is_null() const { return plain == nullptr && large == nullptr; }
};

struct RegisteredForm {
  std::string name;
  Conversion read, write;
  MPI_Datarep_extent_function* extent = nullptr;
  void* extra_state = nullptr;
};

// A handle for a function of the program: a new one, unless the type is predefined.
class TypeHandle {
 public:
  explicit TypeHandle(const TypedBuffer& buffer)
      : handle_(
            is_predefined_handle(buffer.handle)
                ? buffer.handle
                : datatypes().made.insert(Ref<Datatype>(const_cast<Datatype*>(buffer.type.get())), creation_site())) {}
  TypeHandle(const TypeHandle&) = delete;
  TypeHandle& operator=(const TypeHandle&) = delete;
  ~TypeHandle() {
    if (!is_predefined_handle(handle_) && datatypes().find(handle_) != nullptr) datatypes().made.erase(handle_);
  }
  MPI_Datatype get() const { return handle_; }

 private:
  MPI_Datatype handle_;
};

class ProgramForm final : public DataForm {
 public:
  explicit ProgramForm(RegisteredForm form) : form_(std::move(form)) {}
  std::string_view name() const override { return form_.name; }
  bool is_registered() const override { return true; }

  std::string learn(const Datatype& type) const override {
    if (type.basic() != nullptr && type.parts().empty()) return learn_element(*type.basic());
    for (const Part& part : type.parts())
      if (part.type->size() > 0)
        if (std::string error = learn(*part.type); !error.empty()) return error;
    return {};
  }
  std::int64_t size_of(const BasicType& basic) const override {
    const auto known = sizes_.find(basic.handle);
    return known == sizes_.end() ? 0 : known->second;
  }

  std::string write(const TypedBuffer& from, std::vector<std::byte>& file) const override {
    const std::int64_t bytes = bytes_of(*from.type) * from.count;
    if (!form_.write.is_null()) {
      file.assign(static_cast<std::size_t>(bytes), std::byte{});
      return convert(form_.write, "write", from, from.type->elements() * from.count, file.data());
    }
    if (bytes != from.type->size() * from.count) return size_error("write");
    return native_form().write(from, file);
  }
  std::string read(std::span<const std::byte> file, const TypedBuffer& to) const override {
    const auto size = [this](const BasicType& basic) { return size_of(basic); };
    const ReadElements found = elements_in(*to.type, static_cast<std::int64_t>(file.size()), size);
    if (!form_.read.is_null()) {
      std::vector<std::byte> copy(file.begin(), file.end());  // the function may write to its arguments
      return convert(form_.read, "read", to, found.elements, copy.data());
    }
    if (bytes_of(*to.type) != to.type->size()) return size_error("read");
    return native_form().read(file.first(static_cast<std::size_t>(found.bytes)), to);
  }

 private:
  std::string learn_element(const BasicType& basic) const {
    if (sizes_.contains(basic.handle)) return {};
    MPI_Aint extent = -1;
    const int code = form_.extent(basic.handle, &extent, form_.extra_state);
    if (code != MPI_SUCCESS)
      return fmt::format("the extent function of the data representation \"{}\" returns {} for {}", form_.name, code,
                         basic.name);
    if (extent < 0 || (extent == 0 && basic.size > 0))
      return fmt::format("the extent function of the data representation \"{}\" gives {} the extent {}", form_.name,
                         basic.name, extent);
    sizes_[basic.handle] = extent;
    return {};
  }

  std::string convert(const Conversion& function, std::string_view what, const TypedBuffer& buffer,
                      std::int64_t elements, std::byte* file) const {
    if (elements == 0) return {};
    const TypeHandle type(buffer);
    int code = MPI_SUCCESS;
    if (function.large != nullptr) {
      code = function.large(buffer.address, type.get(), elements, file, 0, form_.extra_state);
    } else {
      if (elements > std::numeric_limits<int>::max())
        return fmt::format("an access of {} elements needs a function of MPI_Register_datarep_c", elements);
      code = function.plain(buffer.address, type.get(), static_cast<int>(elements), file, 0, form_.extra_state);
    }
    if (code == MPI_SUCCESS) return {};
    return fmt::format("the {} conversion function of the data representation \"{}\" returns {}", what, form_.name,
                       code);
  }

  std::string size_error(std::string_view what) const {
    return fmt::format("the data representation \"{}\" has no {} conversion function (MPI_CONVERSION_FN_NULL), but "
                       "other sizes than the memory",
                       form_.name, what);
  }

  RegisteredForm form_;
  mutable std::map<MPI_Datatype, std::int64_t> sizes_;
};

struct RegisteredForms {
  std::vector<std::unique_ptr<ProgramForm>> forms;
};

int register_datarep(const char* name, RegisteredForm form) {
  Arguments check = Arguments::without_file();
  check.pointer(name, "datarep").pointer(reinterpret_cast<const void*>(form.extent), "dtype_file_extent_fn");
  if (check.failed()) return check.error();
  const std::size_t length = strnlen(name, MPI_MAX_DATAREP_STRING);
  check.require(length > 0 && length < MPI_MAX_DATAREP_STRING, MPI_ERR_ARG, [&] {
    return fmt::format("datarep has {} characters; it must have 1 to {} (MPI_MAX_DATAREP_STRING - 1)",
                       length == 0 ? "no" : "too many", MPI_MAX_DATAREP_STRING - 1);
  });
  if (check.failed()) return check.error();
  check.require(find_form(name) == nullptr, MPI_ERR_DUP_DATAREP,
                [&] { return fmt::format("the data representation \"{}\" is already known", name); });
  if (check.failed()) return check.error();
  form.name = name;
  per_rank<RegisteredForms>().forms.push_back(std::make_unique<ProgramForm>(std::move(form)));
  return MPI_SUCCESS;
}

}  // namespace

const DataForm* find_form(std::string_view name) {
  if (const DataForm* form = find_predefined_form(name)) return form;
  for (const std::unique_ptr<ProgramForm>& form : per_rank<RegisteredForms>().forms)
    if (form->name() == name) return form.get();
  return nullptr;
}

}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Register_datarep(const char* datarep, MPI_Datarep_conversion_function* read_conversion_fn,
                     MPI_Datarep_conversion_function* write_conversion_fn,
                     MPI_Datarep_extent_function* dtype_file_extent_fn, void* extra_state) {
  return register_datarep(
      datarep, {{}, {read_conversion_fn, nullptr}, {write_conversion_fn, nullptr}, dtype_file_extent_fn, extra_state});
}

int Register_datarep_c(const char* datarep, MPI_Datarep_conversion_function_c* read_conversion_fn,
                       MPI_Datarep_conversion_function_c* write_conversion_fn,
                       MPI_Datarep_extent_function* dtype_file_extent_fn, void* extra_state) {
  return register_datarep(
      datarep, {{}, {nullptr, read_conversion_fn}, {nullptr, write_conversion_fn}, dtype_file_extent_fn, extra_state});
}

}  // namespace rehearse::smpi::calls
