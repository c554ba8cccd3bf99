// SPDX-License-Identifier: MIT
//
// See file_type.hpp.
#include "smpi/file/file_type.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "smpi/datatype/table.hpp"

namespace rehearse::smpi {
namespace {

bool counts_in_bytes(int combiner) {
  switch (combiner) {
    case MPI_COMBINER_HVECTOR:
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_HINDEXED_BLOCK:
    case MPI_COMBINER_STRUCT:
    case MPI_COMBINER_RESIZED:
    case MPI_COMBINER_HVECTOR_INTEGER:
    case MPI_COMBINER_HINDEXED_INTEGER:
    case MPI_COMBINER_STRUCT_INTEGER: return true;
    default: return false;
  }
}

bool is_array(int combiner) { return combiner == MPI_COMBINER_SUBARRAY || combiner == MPI_COMBINER_DARRAY; }

bool is_element(const Datatype& type) { return type.basic() != nullptr && type.parts().empty(); }

Bounds bounds_of(const Datatype& type) { return {type.lower_bound(), type.upper_bound()}; }

// One constructor: the type whose elements it counts, and the extents of these.
struct Elements {
  const Datatype* old;
  DatatypeRef there;
  bool sets_bounds;

  // All distances in the constructor are multiples of the old extent.
  std::int64_t scaled(std::int64_t bytes) const {
    return old->extent() == 0 ? bytes : bytes / old->extent() * there->extent();
  }
};

class FileTypeMaker {
 public:
  explicit FileTypeMaker(const SizeInFile& size) : size_(size) {}

  DatatypeRef make(const Datatype& type) const {
    if (is_element(type)) return DatatypeRef(new Datatype({bytes(size_(*type.basic()))}, Recipe{}));
    if (type.basic() != nullptr) return pair(type);
    const int combiner = type.recipe().combiner;
    if (counts_in_bytes(combiner)) return in_bytes(type);
    const Datatype* old = type.recipe().datatypes.front().get();
    return in_elements(type, {old, make(*old), is_array(combiner)});
  }

 private:
  static Part bytes(std::int64_t count) { return {.block = count, .type = DatatypeRef(predefined_datatype(MPI_BYTE))}; }

  // The halves follow each other.
  DatatypeRef pair(const Datatype& type) const {
    std::vector<Part> halves;
    std::int64_t at = 0;
    for (const Part& half : type.parts()) {
      halves.push_back({.displacement = at, .type = make(*half.type)});
      at += halves.back().type->extent();
    }
    return DatatypeRef(new Datatype(std::move(halves), Recipe{}));
  }

  DatatypeRef in_bytes(const Datatype& type) const {
    std::vector<Part> parts;
    for (Part part : type.parts()) {
      if (part.type->size() > 0) part.type = make(*part.type);
      parts.push_back(std::move(part));
    }
    if (type.recipe().combiner == MPI_COMBINER_RESIZED)
      return DatatypeRef(new Datatype(std::move(parts), Recipe{}, bounds_of(type)));
    return DatatypeRef(new Datatype(std::move(parts), Recipe{}));
  }

  // An array consists of several types, one inside the other.
  DatatypeRef in_elements(const Datatype& type, const Elements& elements) const {
    std::vector<Part> parts;
    for (Part part : type.parts()) {
      part.displacement = elements.scaled(part.displacement);
      part.stride = elements.scaled(part.stride);
      part.type = part.type.get() == elements.old ? elements.there : in_elements(*part.type, elements);
      parts.push_back(std::move(part));
    }
    if (!elements.sets_bounds || !type.explicit_bounds().upper)
      return DatatypeRef(new Datatype(std::move(parts), Recipe{}));
    const Bounds bounds = bounds_of(type);
    return DatatypeRef(
        new Datatype(std::move(parts), Recipe{}, {elements.scaled(bounds.lower), elements.scaled(bounds.upper)}));
  }

  const SizeInFile& size_;
};

// Adds the elements in the first `bytes` bytes of the data of `count` elements of the type, which become fewer. False:
// the bytes end here.
bool add_elements(const Datatype& type, std::int64_t count, std::int64_t& bytes, const SizeInFile& size,
                  ReadElements& read) {
  const std::int64_t each = bytes_in_file(type, size);
  if (each == 0) return true;
  const std::int64_t whole = std::min(count, bytes / each);
  read.elements += whole * type.elements();
  read.bytes += whole * type.size();
  bytes -= whole * each;
  if (whole == count) return true;
  if (is_element(type)) return false;
  return std::ranges::all_of(type.parts(), [&](const Part& part) {
    return add_elements(*part.type, part.count * part.block, bytes, size, read);
  });
}

}  // namespace

DatatypeRef type_in_file(const Datatype& type, const SizeInFile& size) {
  const DatatypeRef there = FileTypeMaker(size).make(type);
  const_cast<Datatype*>(there.get())->commit();
  return there;
}

std::int64_t bytes_in_file(const Datatype& type, const SizeInFile& size) {
  if (is_element(type)) return size(*type.basic());
  std::int64_t sum = 0;
  for (const Part& part : type.parts())
    if (part.type->size() > 0 && part.count > 0 && part.block > 0)
      sum += part.count * part.block * bytes_in_file(*part.type, size);
  return sum;
}

ReadElements elements_in(const Datatype& type, std::int64_t file_bytes, const SizeInFile& size) {
  ReadElements read;
  const std::int64_t each = bytes_in_file(type, size);
  if (each > 0) add_elements(type, file_bytes / each + 1, file_bytes, size, read);
  return read;
}

}  // namespace rehearse::smpi
