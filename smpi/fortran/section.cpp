// SPDX-License-Identifier: MIT
//
// See section.hpp.
#include "smpi/fortran/section.hpp"

#include <cstring>
#include <string>
#include <vector>

#include "smpi/error.hpp"
#include "smpi/fortran/conversion.hpp"
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

}  // namespace

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

Section::Section(const Descriptor* descriptor, Use use, const char* function) : address_(choice_of(descriptor->base)) {
  if (address_ != descriptor->base || descriptor->base == nullptr || !has_gaps(*descriptor)) return;
  if (use == Use::contiguous) unsupported(std::string(function) + " with a section of an array that has gaps");
  copy_ = std::make_shared<SectionCopy>(*descriptor);
  address_ = copy_->data();
}

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
