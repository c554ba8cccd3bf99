// SPDX-License-Identifier: MIT
//
// See packed_regions.hpp.
#include "smpi/datatype/packed_regions.hpp"

#include <algorithm>
#include <iterator>

#include "simcore/signature_number.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/hash.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/datatype/table.hpp"
#include "smpi/per_rank.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::int64_t max_region_bytes = 64 << 10;
constexpr std::size_t max_region_runs = 4096;
constexpr std::uint64_t no_content = StableHash().value();

std::uint64_t hash_on(std::uint64_t hash, const std::byte* data, std::int64_t bytes) {
  StableHash on(hash);
  on.add({reinterpret_cast<const char*>(data), static_cast<std::size_t>(bytes)});
  return on.value();
}

const Datatype* type_of(std::uint32_t element) {
  const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(MPI_DATATYPE_NULL);
  const Datatype* type = predefined_datatype(reinterpret_cast<MPI_Datatype>(first + element));
  return type != nullptr && type->basic() != nullptr ? type : nullptr;
}

std::uint32_t element_of(const BasicType& basic) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(basic.handle) -
                                    reinterpret_cast<std::uintptr_t>(MPI_DATATYPE_NULL));
}

// The elements of a type as runs, merged with those before them. False: too many, or not known.
class Runs {
 public:
  explicit Runs(std::vector<ElementRun>& runs) : runs_(runs) {}

  bool add(const Datatype& type, std::int64_t count) {
    if (type.size() == 0 || count == 0) return true;
    if (type.signature().value() == 0) return false;
    if (type.parts().empty()) return add_basic(*type.basic(), count);
    for (std::int64_t i = 0; i < count; ++i)
      for (const Part& part : type.parts())
        if (!add(*part.type, part.count * part.block)) return false;
    return true;
  }

 private:
  bool add_basic(const BasicType& basic, std::int64_t count) {
    const std::uint32_t element = element_of(basic);
    if (!runs_.empty() && runs_.back().element == element) {
      runs_.back().length += count;
      return true;
    }
    runs_.push_back({element, count});
    return runs_.size() <= max_region_runs;
  }

  std::vector<ElementRun>& runs_;
};

std::vector<ElementRun> runs_of(SignatureNumber number) {
  if (number.form() == SignatureForm::uniform)
    return {{static_cast<std::uint32_t>(number.body() >> SignatureNumber::element_bit),
             static_cast<std::int64_t>(number.body() & SignatureNumber::longest_uniform)}};
  std::vector<ElementRun> runs;
  if (number.form() != SignatureForm::listed) return runs;
  for (std::uint64_t rest = number.body(); rest != 0; rest >>= SignatureNumber::run_bits)
    runs.push_back(
        {static_cast<std::uint32_t>(rest >> SignatureNumber::run_length_bits & (SignatureNumber::most_elements - 1)),
         static_cast<std::int64_t>(rest & SignatureNumber::longest_run)});
  return runs;
}

std::uint64_t number_of_runs(const std::vector<ElementRun>& runs) {
  if (runs.size() == 1) {
    const auto body = std::uint64_t{runs[0].element} << SignatureNumber::element_bit |
                      static_cast<std::uint64_t>(runs[0].length);
    return SignatureNumber::make(SignatureForm::uniform, manner_of_packed, body).value;
  }
  if (runs.empty() || runs.size() > SignatureNumber::most_runs) return 0;
  std::uint64_t body = 0;
  for (std::size_t i = runs.size(); i-- > 0;) {
    if (static_cast<std::uint64_t>(runs[i].length) > SignatureNumber::longest_run) return 0;
    body = body << SignatureNumber::run_bits | std::uint64_t{runs[i].element} << SignatureNumber::run_length_bits |
           static_cast<std::uint64_t>(runs[i].length);
  }
  return SignatureNumber::make(SignatureForm::listed, manner_of_packed, body).value;
}

// A position in a list of runs, which moves by bytes.
class Cursor {
 public:
  explicit Cursor(const std::vector<ElementRun>& runs) : runs_(runs) {}

  // The element that begins here; null: behind the end, within one, or not known.
  const Datatype* type() const { return run_ < runs_.size() && offset_ == 0 ? type_of(runs_[run_].element) : nullptr; }
  std::int64_t remaining() const { return runs_[run_].length - element_; }
  void skip(std::int64_t elements) {
    element_ += elements;
    if (run_ < runs_.size() && element_ == runs_[run_].length) next();
  }
  void skip_bytes(std::int64_t bytes) {
    while (run_ < runs_.size()) {
      const Datatype* type = type_of(runs_[run_].element);
      const std::int64_t size = type == nullptr ? 0 : type->size();
      if (size == 0) return void(run_ = runs_.size());
      if (bytes < size * runs_[run_].length) {
        element_ = bytes / size;
        offset_ = bytes % size;
        return;
      }
      bytes -= size * runs_[run_].length;
      next();
    }
  }

 private:
  void next() {
    ++run_;
    element_ = 0;
  }

  const std::vector<ElementRun>& runs_;
  std::size_t run_ = 0;
  std::int64_t element_ = 0;
  std::int64_t offset_ = 0;  // bytes within the element
};

}  // namespace

bool is_packed_type(const Datatype& type) {
  return type.basic() != nullptr && type.basic()->type_class == TypeClass::packed;
}

void PackedRegions::add(const std::byte* buffer, std::int64_t position, const Datatype& type, std::int64_t count) {
  const std::int64_t bytes = count * type.size();
  PackedRegion region;
  region.content = no_content;
  const auto known = regions_.find(buffer);
  if (position > 0) {
    const bool goes_on = known != regions_.end() && known->second.bytes == position && !known->second.sender &&
                         hash_on(no_content, buffer, position) == known->second.content;
    if (!goes_on) return forget(buffer, position + bytes);
    region = known->second;
  }
  if (region.runs.empty()) region.site = creation_site();
  forget(buffer, position + bytes);
  region.bytes += bytes;
  if (region.bytes > max_region_bytes || !Runs(region.runs).add(type, count)) return;
  region.content = hash_on(region.content, buffer + position, bytes);
  regions_[buffer] = std::move(region);
}

void PackedRegions::add_received(const std::byte* buffer, std::int64_t bytes, std::uint64_t number, ActorId sender,
                                 const CreationSite& sent) {
  forget(buffer, bytes);
  const SignatureNumber contents{number};
  if (contents.is_special()) return;
  PackedRegion region;
  region.runs = runs_of(contents);
  for (const ElementRun& run : region.runs) {
    const Datatype* type = type_of(run.element);
    if (type == nullptr) return;
    region.bytes += type->size() * run.length;
  }
  if (region.runs.empty() || region.bytes > std::min(bytes, max_region_bytes)) return;
  region.content = hash_on(no_content, buffer, region.bytes);
  region.site = sent;
  region.sender = sender;
  regions_[buffer] = std::move(region);
}

void PackedRegions::forget(const std::byte* buffer, std::int64_t bytes) {
  auto at = regions_.lower_bound(buffer);
  if (at != regions_.begin() && std::prev(at)->first + std::prev(at)->second.bytes > buffer) --at;
  while (at != regions_.end() && at->first < buffer + std::max<std::int64_t>(bytes, 1)) at = regions_.erase(at);
}

const PackedRegion* PackedRegions::find(const std::byte* buffer) const {
  const auto known = regions_.find(buffer);
  if (known == regions_.end()) return nullptr;
  const PackedRegion& region = known->second;
  return hash_on(no_content, buffer, region.bytes) == region.content ? &region : nullptr;
}

std::uint64_t PackedRegions::number_of(const std::byte* buffer, std::int64_t bytes) const {
  const auto known = regions_.find(buffer);
  if (known == regions_.end() || known->second.bytes > bytes) return 0;
  const PackedRegion* region = find(buffer);
  return region == nullptr ? 0 : number_of_runs(region->runs);
}

UnpackMismatch PackedRegions::compare(const std::byte* buffer, std::int64_t position, const Datatype& type,
                                      std::int64_t count) const {
  std::vector<ElementRun> wanted;
  const auto known = regions_.find(buffer);
  if (known == regions_.end() || known->second.bytes < position + count * type.size()) return {};
  if (!Runs(wanted).add(type, count)) return {};
  const PackedRegion* region = find(buffer);
  if (region == nullptr) return {};
  Cursor packed(region->runs);
  packed.skip_bytes(position);
  std::int64_t place = 0;
  for (const ElementRun& run : wanted)
    for (std::int64_t remaining = run.length; remaining > 0;) {
      const Datatype* there = packed.type();
      const Datatype* here = type_of(run.element);
      if (there == nullptr || here == nullptr) return {};
      if (there->basic() != here->basic())
        return {fmt::format("element {} is unpacked as {} but was packed as {}", place, here->basic()->name,
                            there->basic()->name),
                region->site, region->sender};
      const std::int64_t both = std::min(remaining, packed.remaining());
      packed.skip(both);
      remaining -= both;
      place += both;
    }
  return {};
}

PackedRegions* find_packed_regions() { return find_per_rank<PackedRegions>(); }
PackedRegions& packed_regions() { return per_rank<PackedRegions>(); }

}  // namespace rehearse::smpi
