// SPDX-License-Identifier: MIT
//
// Properties computed from the tree of a datatype: size, bounds, signature, layout, counts of elements.
#include "smpi/datatype/datatype.hpp"

#include <algorithm>
#include <limits>

#include "simcore/signature_number.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::smpi {
namespace {

// Wide enough for the products below: each factor is checked first.
using Wide = __int128;

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max() / 4;

bool fits(Wide x) { return -largest <= x && x <= largest; }

// The smallest bounds around all added ranges; sets `overflow` if they leave the valid range.
class Hull {
 public:
  // Adds the range `item`, repeated as in the part.
  void add(const Part& part, Bounds item, bool& overflow) {
    const Wide groups = Wide{part.count - 1} * part.stride;
    const Wide block = Wide{part.block - 1} * part.type->extent();
    const Wide lower = std::min<Wide>(groups, 0) + std::min<Wide>(block, 0) + part.displacement;
    const Wide upper = std::max<Wide>(groups, 0) + std::max<Wide>(block, 0) + part.displacement;
    if (!fits(groups) || !fits(block) || !fits(lower + item.lower) || !fits(upper + item.upper)) {
      overflow = true;
      return;
    }
    const auto low = static_cast<std::int64_t>(lower + item.lower);
    const auto high = static_cast<std::int64_t>(upper + item.upper);
    bounds_.lower = any_ ? std::min(bounds_.lower, low) : low;
    bounds_.upper = any_ ? std::max(bounds_.upper, high) : high;
    any_ = true;
  }
  bool any() const { return any_; }
  Bounds bounds() const { return bounds_; }

 private:
  Bounds bounds_;
  bool any_ = false;
};

bool is_empty(const Part& part) { return part.count <= 0 || part.block <= 0; }

Bounds rounded_up(Bounds bounds, std::int64_t alignment) {
  const std::int64_t rest = (bounds.upper - bounds.lower) % alignment;
  if (rest != 0) bounds.upper += alignment - rest;
  return bounds;
}

Layout layout_of(const Datatype& type);

// The runs of one element; `scratch` holds them if the type does not store runs.
std::span<const Run> runs_of(const Datatype& type, Layout& scratch) {
  if (type.committed()) return type.layout();
  scratch = layout_of(type);
  return scratch;
}

Layout layout_of(const Datatype& type) {
  if (type.parts().empty() && type.size() > 0) return {Run{.bytes = type.size()}};
  LayoutBuilder whole;
  Layout scratch;
  std::span<const Run> item;
  const Datatype* item_type = nullptr;
  for (const Part& part : type.parts()) {
    if (is_empty(part) || part.type->size() == 0) continue;
    if (part.type.get() != item_type) {
      item = runs_of(*part.type, scratch);
      item_type = part.type.get();
    }
    if (part.count == 1) {
      whole.append(item, {part.displacement, part.block, item_type->extent()});
    } else {
      LayoutBuilder group;
      group.append(item, {0, part.block, item_type->extent()});
      whole.append(group.take(), {part.displacement, part.count, part.stride});
    }
  }
  return whole.take();
}

// The elements in the first bytes of a buffer.
struct Prefix {
  Signature signature;
  bool cut = false;  // inside a basic element
};

// Adds the first `bytes` < size() packed bytes of one element.
void add_prefix(const Datatype& type, std::int64_t bytes, Prefix& prefix) {
  if (bytes == 0) return;
  if (type.parts().empty()) {
    prefix.cut = true;
    return;
  }
  for (const Part& part : type.parts()) {
    const std::int64_t item = part.type->size();
    if (is_empty(part) || item == 0) continue;
    const std::int64_t items = std::min(bytes / item, part.count * part.block);
    prefix.signature = prefix.signature + part.type->signature().repeated(items);
    bytes -= items * item;
    if (items < part.count * part.block) return add_prefix(*part.type, bytes, prefix);
  }
}

Prefix prefix_of(const Datatype& type, std::int64_t bytes) {
  Prefix prefix;
  if (type.size() == 0) {
    prefix.cut = bytes != 0;
    return prefix;
  }
  prefix.signature = type.signature().repeated(bytes / type.size());
  add_prefix(type, bytes % type.size(), prefix);
  return prefix;
}

// The runs of a short sequence that fits into the number itself.
class RunLister {
 public:
  // Adds the elements of the first `bytes` packed bytes, which become fewer. False: it does not fit.
  bool add(const Datatype& type, std::int64_t& bytes) {
    if (type.parts().empty()) {
      bytes -= type.size();
      return bytes >= 0 && add_element(basic_element(type));
    }
    for (const Part& part : type.parts())
      for (std::int64_t i = 0; part.type->size() > 0 && i < part.count * part.block && bytes > 0; ++i)
        if (!add(*part.type, bytes)) return false;
    return true;
  }

  int runs() const { return runs_; }
  std::uint64_t number() const {
    std::uint64_t body = 0;
    for (int i = runs_; i-- > 0;)
      body = body << SignatureNumber::run_bits | elements_[i] << SignatureNumber::run_length_bits | lengths_[i];
    return SignatureNumber::make(SignatureForm::listed, 0, body).value;
  }

 private:
  static std::uint64_t basic_element(const Datatype& type) {
    return reinterpret_cast<std::uintptr_t>(type.basic()->handle) % SignatureNumber::most_elements;
  }
  bool add_element(std::uint64_t element) {
    if (runs_ == 0 || elements_[runs_ - 1] != element) {
      if (runs_ == SignatureNumber::most_runs) return false;
      elements_[runs_] = element;
      lengths_[runs_++] = 0;
    }
    return ++lengths_[runs_ - 1] <= SignatureNumber::longest_run;
  }

  int runs_ = 0;
  std::uint64_t elements_[SignatureNumber::most_runs] = {};
  std::uint64_t lengths_[SignatureNumber::most_runs] = {};
};

// The signature number of a sequence that is not uniform: the sequence itself if it is short, else the given hash.
std::uint64_t listed_or(std::uint64_t hashed, const Datatype& type, std::int64_t bytes) {
  RunLister lister;
  while (bytes > 0)
    if (!lister.add(type, bytes)) return hashed;
  return lister.runs() < 2 ? hashed : lister.number();
}

std::uint32_t basic_id(MPI_Datatype handle) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(handle));
}

const char* combiner_name(int combiner) {
  switch (combiner) {
    case MPI_COMBINER_DUP: return "duplicate";
    case MPI_COMBINER_CONTIGUOUS: return "contiguous";
    case MPI_COMBINER_VECTOR: return "vector";
    case MPI_COMBINER_HVECTOR: return "hvector";
    case MPI_COMBINER_INDEXED: return "indexed";
    case MPI_COMBINER_HINDEXED: return "hindexed";
    case MPI_COMBINER_INDEXED_BLOCK: return "indexed block";
    case MPI_COMBINER_HINDEXED_BLOCK: return "hindexed block";
    case MPI_COMBINER_STRUCT: return "struct";
    case MPI_COMBINER_SUBARRAY: return "subarray";
    case MPI_COMBINER_DARRAY: return "distributed array";
    case MPI_COMBINER_F90_REAL: return "Fortran real";
    case MPI_COMBINER_F90_COMPLEX: return "Fortran complex";
    case MPI_COMBINER_F90_INTEGER: return "Fortran integer";
    case MPI_COMBINER_RESIZED: return "resized";
    default: return "datatype";
  }
}

}  // namespace

Datatype::Datatype(const BasicType& basic, std::vector<Part> halves)
    : SharedObject(Lifetime::immortal), basic_(&basic), parts_(std::move(halves)) {
  if (parts_.empty()) {
    size_ = basic.size;
    data_ = {0, basic.size};
    bounds_ = {0, basic.extent};
    alignment_ = basic.alignment;
    const bool is_marker = basic.type_class == TypeClass::marker;
    explicit_bounds_ = {is_marker && basic.handle == MPI_LB, is_marker && basic.handle == MPI_UB};
    if (basic.type_class == TypeClass::packed) signature_ = Signature::wildcard();
    else if (!is_marker) signature_ = Signature::of_basic(basic_id(basic.handle));
  } else {
    measure();
  }
  REHEARSE_ASSERT(size_ == basic.size && extent() == basic.extent, "a pair that is not its halves");
  name_ = basic.name;
  commit();
}

Datatype::Datatype(const BasicType& basic, Recipe recipe) : Datatype(basic) {
  recipe_ = std::move(recipe);
  name_.clear();
}

Datatype::Datatype(std::vector<Part> parts, Recipe recipe)
    : SharedObject(Lifetime::counted), parts_(std::move(parts)), recipe_(std::move(recipe)) {
  measure();
}

Datatype::Datatype(std::vector<Part> parts, Recipe recipe, Bounds bounds)
    : Datatype(std::move(parts), std::move(recipe)) {
  bounds_ = bounds;
  explicit_bounds_ = {true, true};
  overflow_ = overflow_ || !fits(bounds.lower) || !fits(bounds.upper);
}

void Datatype::measure() {
  Hull data, lower, upper;
  Wide size = 0;
  for (const Part& part : parts_) {
    if (is_empty(part)) continue;
    const Datatype& type = *part.type;
    const Wide items = Wide{part.count} * part.block;
    size += fits(items) ? items * type.size() : 0;
    overflow_ = overflow_ || type.overflow() || !fits(items) || !fits(size);
    if (overflow_) return;
    if (type.size() > 0) data.add(part, {type.data_.lower, type.data_.upper}, overflow_);
    if (type.explicit_bounds_.lower) lower.add(part, type.bounds_, overflow_);
    if (type.explicit_bounds_.upper) upper.add(part, type.bounds_, overflow_);
    alignment_ = std::max(alignment_, type.alignment_);
    signature_ = signature_ + type.signature_.repeated(static_cast<std::int64_t>(items));
  }
  size_ = static_cast<std::int64_t>(size);
  data_ = data.bounds();
  explicit_bounds_ = {lower.any(), upper.any()};
  bounds_ = {lower.any() ? lower.bounds().lower : data_.lower, upper.any() ? upper.bounds().upper : data_.upper};
  if (!upper.any()) bounds_ = rounded_up(bounds_, alignment_);
}

void Datatype::commit() {
  if (committed_) return;
  layout_ = layout_of(*this);
  committed_ = true;
  one_block_ = layout_.empty() || (layout_.size() == 1 && layout_[0].count == 1);
  contiguous_ = layout_.empty() || (one_block_ && layout_[0].bytes == extent());
}

std::uint64_t signature_of(const Datatype& type, std::int64_t count) {
  const Signature& one = type.signature();
  const std::uint64_t value = one.repeated_value(count);
  if (value == 0 || one.uniform() || count == 0 || one.length() == 0) return value;
  return listed_or(value, type, type.size() * count);
}

std::uint64_t signature_of_bytes(const Datatype& type, std::int64_t bytes) {
  const Signature& whole = type.signature();
  if (whole.value() == 0) return 0;
  if (whole.uniform() && bytes > 0) {
    const std::int64_t element = type.size() / whole.length();
    return bytes % element == 0 ? whole.uniform_value(bytes / element) : 1;
  }
  const Prefix prefix = prefix_of(type, bytes);
  return prefix.cut ? 1 : listed_or(prefix.signature.value(), type, bytes);
}

MPI_Count count_of_bytes(const Datatype& type, std::int64_t bytes) {
  if (type.size() == 0) return bytes == 0 ? 0 : MPI_UNDEFINED;
  return bytes % type.size() == 0 ? bytes / type.size() : MPI_UNDEFINED;
}

MPI_Count elements_of_bytes(const Datatype& type, std::int64_t bytes) {
  const Prefix prefix = prefix_of(type, bytes);
  return prefix.cut ? MPI_UNDEFINED : prefix.signature.length();
}

std::int64_t bytes_of_elements(const Datatype& type, std::int64_t elements) {
  if (elements <= 0 || type.elements() == 0) return 0;
  std::int64_t bytes = elements / type.elements() * type.size();
  elements %= type.elements();
  for (const Part& part : type.parts()) {
    const std::int64_t item = part.type->elements();
    if (is_empty(part) || item == 0) continue;
    const std::int64_t items = std::min(elements / item, part.count * part.block);
    bytes += items * part.type->size();
    elements -= items * item;
    if (items < part.count * part.block) return bytes + bytes_of_elements(*part.type, elements);
  }
  return bytes;
}

std::string describe(const Datatype& type) {
  if (!type.name().empty()) return type.name();
  const auto& of = type.recipe().datatypes;
  std::string text = combiner_name(type.recipe().combiner);
  if (type.recipe().combiner != MPI_COMBINER_STRUCT && of.size() == 1) text += " of " + describe(*of[0]);
  return text;
}

}  // namespace rehearse::smpi
