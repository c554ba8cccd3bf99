// SPDX-License-Identifier: MIT
//
// An MPI datatype: a tree of parts over basic types, and the properties that are computed from it once.
//
// Units:     bytes. Extents, bounds and displacements are signed and may be absolute addresses
//            (MPI_BOTTOM).
// Ownership: a datatype holds references to the types of its parts. The predefined types are constants, shared by all
//            ranks.
// Invariant: immutable after its construction, except for the name and for the layout, which commit() computes.
// Source:    MPI 5.0, chapter 5; bounds: 5.1.7 (explicit bounds of one part hide the natural ones
//            of the others; without an explicit upper one the extent is rounded up to the
//            alignment).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mpi.h"
#include "smpi/datatype/basic_type.hpp"
#include "smpi/datatype/layout.hpp"
#include "smpi/datatype/signature.hpp"
#include "smpi/shared_object.hpp"

namespace rehearse::smpi {

class Datatype;
using DatatypeRef = Ref<const Datatype>;

// `count` groups, `stride` bytes apart, of `block` consecutive elements of `type`.
struct Part {
  std::int64_t displacement = 0;
  std::int64_t count = 1;
  std::int64_t stride = 0;
  std::int64_t block = 1;
  DatatypeRef type;
};

// The call that made a datatype, for MPI_Type_get_envelope and MPI_Type_get_contents.
struct Recipe {
  int combiner = MPI_COMBINER_NAMED;
  bool large = false;  // made by a function with MPI_Count arguments
  std::vector<int> integers{};
  std::vector<MPI_Aint> addresses{};
  std::vector<MPI_Count> large_counts{};
  std::vector<DatatypeRef> datatypes{};
};

// Beginning and end of a range, relative to the buffer address.
struct Bounds {
  std::int64_t lower = 0;
  std::int64_t upper = 0;
};

class Datatype final : public SharedObject {
 public:
  // Predefined: committed and immortal. `halves`: of a pair type.
  explicit Datatype(const BasicType& basic, std::vector<Part> halves = {});
  // A predefined type that the program requested by precision and range; it has no name.
  Datatype(const BasicType& basic, Recipe recipe);
  // The bounds follow from the parts.
  Datatype(std::vector<Part> parts, Recipe recipe);
  // The bounds are set by the program.
  Datatype(std::vector<Part> parts, Recipe recipe, Bounds bounds);

  std::int64_t size() const { return size_; }
  std::int64_t lower_bound() const { return bounds_.lower; }
  std::int64_t upper_bound() const { return bounds_.upper; }
  std::int64_t extent() const { return bounds_.upper - bounds_.lower; }
  std::int64_t true_lower_bound() const { return data_.lower; }
  std::int64_t true_extent() const { return data_.upper - data_.lower; }
  std::int64_t alignment() const { return alignment_; }

  // The basic type, if the type is predefined; else null.
  const BasicType* basic() const { return basic_; }
  // The parts; none for predefined types other than pairs.
  std::span<const Part> parts() const { return parts_; }
  const Recipe& recipe() const { return recipe_; }
  const Signature& signature() const { return signature_; }
  // Basic elements in it, as MPI_Get_elements counts.
  std::int64_t elements() const { return signature_.length(); }
  // The bounds that the program has set, here or in a part.
  struct Marks {
    bool lower = false, upper = false;
  };
  Marks explicit_bounds() const { return explicit_bounds_; }

  bool committed() const { return committed_; }
  void commit();
  // Requires: the type is committed.
  std::span<const Run> layout() const { return layout_; }
  // Whether the data of one element, or of any number of consecutive elements, are consecutive bytes in the order of
  // packing. Requires: the type is committed.
  bool one_block() const { return one_block_; }
  bool contiguous() const { return contiguous_; }

  // A size or bound is out of range; such a type must not be used.
  bool overflow() const { return overflow_; }

  const std::string& name() const { return name_; }  // of MPI_Type_set_name; empty: none
  void set_name(std::string name) { name_ = std::move(name); }

 private:
  void measure();

  const BasicType* basic_ = nullptr;
  std::vector<Part> parts_;
  Recipe recipe_;
  std::int64_t size_ = 0;
  Bounds bounds_;
  Bounds data_;
  std::int64_t alignment_ = 1;
  Signature signature_;
  Layout layout_;
  Marks explicit_bounds_;
  bool committed_ = false;
  bool one_block_ = false;
  bool contiguous_ = false;
  bool overflow_ = false;
  std::string name_;
};

// The signature of `count` elements of the type; 0: unknown (MPI_PACKED), matches any.
std::uint64_t signature_of(const Datatype& type, std::int64_t count);

// The signature of the first `bytes` packed bytes of a buffer of that type: the data of a receive of `bytes` bytes.
// 0: unknown; 1, which is no other signature: the bytes end inside a basic element.
std::uint64_t signature_of_bytes(const Datatype& type, std::int64_t bytes);

// MPI_Get_count, MPI_Get_elements: the number of elements in `bytes` received bytes, or MPI_UNDEFINED.
MPI_Count count_of_bytes(const Datatype& type, std::int64_t bytes);
MPI_Count elements_of_bytes(const Datatype& type, std::int64_t bytes);
// The bytes of the first `elements` basic elements (MPI_Status_set_elements).
std::int64_t bytes_of_elements(const Datatype& type, std::int64_t elements);

// "MPI_INT", or the user's name, or "vector of MPI_INT".
std::string describe(const Datatype& type);

}  // namespace rehearse::smpi
