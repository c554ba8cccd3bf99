// SPDX-License-Identifier: MIT
//
// See section.hpp.
#include "smpi/fortran/section.hpp"

#include <cstring>
#include <string>
#include <vector>

#include "smpi/error.hpp"
#include "smpi/request/request.hpp"

namespace rehearse::smpi::fortran {
namespace {

// An array of assumed size: its last extent is not known, so it has no gaps in that dimension.
constexpr std::int64_t unknown_extent = -1;

bool has_gaps(const Descriptor& section) {
  auto expected = static_cast<std::int64_t>(section.element_bytes);
  bool gaps = false;
  for (int d = 0; d < section.rank; ++d) {
    const Dimension& dimension = section.dimensions[d];
    if (dimension.extent == 0) return false;  // no elements
    if (dimension.extent == unknown_extent) return gaps;
    gaps = gaps || (dimension.extent > 1 && dimension.stride_bytes != expected);
    expected *= dimension.extent;
  }
  return gaps;
}

// The types of elements by CFI_type codes: the intrinsic type in the low byte, and the kind.
constexpr int integer_code = 1, logical_code = 2, real_code = 3, complex_code = 4;

DebugType scalar(DebugType::Scalar kind, const char* name, std::uint64_t bytes) {
  return {.kind = DebugType::Kind::scalar, .scalar = kind, .name = name, .bytes = bytes};
}

struct ElementType {
  int code = 0;
  std::size_t element_bytes = 0;
  DebugType type;  // of a complex number: that of its parts
};

const ElementType element_types[] = {
    {integer_code, 1, scalar(DebugType::Scalar::signed_integer, "integer(1)", 1)},
    {integer_code, 2, scalar(DebugType::Scalar::signed_integer, "integer(2)", 2)},
    {integer_code, 4, scalar(DebugType::Scalar::signed_integer, "integer(4)", 4)},
    {integer_code, 8, scalar(DebugType::Scalar::signed_integer, "integer(8)", 8)},
    {integer_code, 16, scalar(DebugType::Scalar::signed_integer, "integer(16)", 16)},
    {logical_code, 1, scalar(DebugType::Scalar::boolean, "logical(1)", 1)},
    {logical_code, 2, scalar(DebugType::Scalar::boolean, "logical(2)", 2)},
    {logical_code, 4, scalar(DebugType::Scalar::boolean, "logical(4)", 4)},
    {logical_code, 8, scalar(DebugType::Scalar::boolean, "logical(8)", 8)},
    {real_code, 4, scalar(DebugType::Scalar::floating, "real(4)", 4)},
    {real_code, 8, scalar(DebugType::Scalar::floating, "real(8)", 8)},
    {real_code, 16, scalar(DebugType::Scalar::floating, "real(16)", 16)},
    {complex_code, 8, scalar(DebugType::Scalar::floating, "complex(4)", 4)},
    {complex_code, 16, scalar(DebugType::Scalar::floating, "complex(8)", 8)},
    {complex_code, 32, scalar(DebugType::Scalar::floating, "complex(16)", 16)},
};

// Null: a derived type, characters, or a type that the compiler does not describe.
const DebugType* element_type_of(const Descriptor& section) {
  const int code = section.type < 0 ? 0 : section.type & 0xff;
  for (const ElementType& known : element_types)
    if (known.code == code && known.element_bytes == section.element_bytes) return &known.type;
  return nullptr;
}

// Where the size is not known: one element.
std::uint64_t bytes_of(const Descriptor& section) {
  std::uint64_t bytes = section.element_bytes;
  for (int d = 0; d < section.rank; ++d) {
    if (section.dimensions[d].extent == unknown_extent) return section.element_bytes;
    bytes *= static_cast<std::uint64_t>(section.dimensions[d].extent);
  }
  return bytes;
}

}  // namespace

// The types of both kinds of descriptors have the same numbers for the intrinsic types that are compared; in gfortran's
// own, the number of bytes is not part of them.
Descriptor descriptor_of(const GfortranDescriptor& given) {
  Descriptor result;
  result.base = given.base;
  result.element_bytes = given.element_bytes;
  result.version = given.version;
  result.rank = given.rank;
  result.attribute = 0;
  result.type = given.type <= complex_code ? given.type : std::int16_t{0};
  const std::int64_t span = given.span != 0 ? given.span : static_cast<std::int64_t>(given.element_bytes);
  for (int d = 0; d < given.rank; ++d) {
    const GfortranDescriptor::Dimension& from = given.dimensions[d];
    result.dimensions[d] = {from.lower_bound, from.upper_bound - from.lower_bound + 1, from.stride * span};
  }
  return result;
}

// The elements of a section one after the other.
class SectionCopy final : public RequestSection {
 public:
  explicit SectionCopy(const Descriptor& section) {
    // A descriptor has only as many dimensions as its rank.
    const std::size_t bytes_there = offsetof(Descriptor, dimensions) +
                                    static_cast<std::size_t>(section.rank) * sizeof(Dimension);
    std::memcpy(&section_, &section, bytes_there);
    std::size_t bytes = section.element_bytes;
    for (int d = 0; d < section.rank; ++d) bytes *= static_cast<std::size_t>(section.dimensions[d].extent);
    data_.resize(bytes);
    gather();
  }

  void gather() override {
    walk([](std::byte* element, std::byte* place, std::size_t bytes) { std::memcpy(place, element, bytes); });
    before_ = data_;
    is_open_ = true;
  }

  void scatter() override {
    if (!is_open_) return;
    is_open_ = false;
    walk([this](std::byte* element, const std::byte* place, std::size_t bytes) {
      const std::byte* before = before_.data() + (place - data_.data());
      if (std::memcmp(place, before, bytes) == 0) return;
      for (std::size_t i = 0; i < bytes; ++i)
        if (place[i] != before[i]) element[i] = place[i];
    });
  }

  std::byte* data() { return data_.data(); }

 private:
  // visit(element, its place in the copy, bytes), in the order of the elements in Fortran.
  template <class Visit>
  void walk(Visit&& visit) {
    std::byte* place = data_.data();
    walk_dimension(section_.rank - 1, static_cast<std::byte*>(section_.base), place, visit);
  }

  template <class Visit>
  void walk_dimension(int dimension, std::byte* base, std::byte*& place, Visit& visit) {
    if (dimension < 0) {
      visit(base, place, section_.element_bytes);
      place += section_.element_bytes;
      return;
    }
    const Dimension& here = section_.dimensions[dimension];
    for (std::int64_t i = 0; i < here.extent; ++i)
      walk_dimension(dimension - 1, base + i * here.stride_bytes, place, visit);
  }

  Descriptor section_{};
  std::vector<std::byte> data_, before_;
  bool is_open_ = false;
};

namespace {

bool is_memory(const Descriptor& section, const void* choice) {
  return section.base != nullptr && choice == section.base;  // and not MPI_IN_PLACE, MPI_BOTTOM
}

std::shared_ptr<SectionCopy> copy_if_gaps(const Descriptor& section, const void* choice, Section::Use use,
                                          const char* function) {
  if (!is_memory(section, choice) || !has_gaps(section)) return nullptr;
  if (use == Section::Use::contiguous) unsupported(std::string(function) + " with a section of an array that has gaps");
  return std::make_shared<SectionCopy>(section);
}

}  // namespace

Section::Section(const Descriptor* descriptor, void* choice, Use use, const char* function)
    : copy_(copy_if_gaps(*descriptor, choice, use, function)),
      address_(copy_ != nullptr ? copy_->data() : choice),
      described_(address_, is_memory(*descriptor, choice) ? bytes_of(*descriptor) : 0,
                 is_memory(*descriptor, choice) ? element_type_of(*descriptor) : nullptr) {}

void Section::finish() const {
  if (copy_ != nullptr) copy_->scatter();
}

void Section::keep(MPI_Request request, bool persistent) const {
  if (copy_ == nullptr) return;
  Request* found = find_request(request);
  if (found == nullptr) return;
  found->more().sections.push_back(copy_);
  if (persistent) copy_->scatter();
}

}  // namespace rehearse::smpi::fortran
