// SPDX-License-Identifier: MIT
//
// An MPI datatype: a tree of parts over basic types, with everything that follows from it computed
// once.
//
// Units:     bytes. Extents, bounds and displacements are signed and may be absolute addresses
//            (MPI_BOTTOM).
// Ownership: a datatype holds references to the types that it is made of. The predefined ones are
//            constants.
// Invariant: immutable once made, but for `committed` and the layout that commit() computes, and
//            the name.
// Source:    MPI 5.0, chapter 5; bounds: 5.1.7 (explicit bounds of a part hide the natural ones of
//            the others).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
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

// The call that made a datatype: what MPI_Type_get_envelope and MPI_Type_get_contents give back.
struct Recipe {
  int combiner = MPI_COMBINER_NAMED;
  bool large = false;  // made by a function with MPI_Count arguments
  std::vector<int> integers;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Count> large_counts;
  std::vector<DatatypeRef> datatypes;
};

// The extremes of a type map. `sticky`: set by a resize, not by the data.
struct Bounds {
  std::int64_t lower = 0;
  std::int64_t upper = 0;
  bool sticky = false;
};

class Datatype final : public SharedObject {
 public:
  explicit Datatype(const BasicType& basic);         // predefined, committed, immortal
  Datatype(std::vector<Part> parts, Recipe recipe);  // bounds follow from the parts
  Datatype(std::vector<Part> parts, Recipe recipe, Bounds bounds);

  std::int64_t size() const { return size_; }
  std::int64_t lower_bound() const { return bounds_.lower; }
  std::int64_t upper_bound() const { return bounds_.upper; }
  std::int64_t extent() const { return bounds_.upper - bounds_.lower; }
  std::int64_t true_lower_bound() const { return true_lower_; }
  std::int64_t true_extent() const { return true_upper_ - true_lower_; }
  std::int64_t alignment() const { return alignment_; }

  // What it is if it is predefined, else null.
  const BasicType* basic() const { return basic_; }
  std::span<const Part> parts() const { return parts_; }
  const Recipe& recipe() const { return recipe_; }
  const Signature& signature() const { return signature_; }
  // Basic elements in it, as MPI_Get_elements counts.
  std::int64_t elements() const { return signature_.length(); }

  bool committed() const { return committed_; }
  void commit();
  // Of a committed type.
  std::span<const Run> layout() const;
  // Whether the data of consecutive elements are consecutive bytes, in order, without a gap.
  bool contiguous() const { return contiguous_; }

  // A size that does not fit into 63 bits was met; such a type must not be used.
  bool overflow() const { return overflow_; }

  const std::string& name() const { return name_; }  // of MPI_Type_set_name; empty: none
  void set_name(std::string name) { name_ = std::move(name); }

 private:
  friend void append_layout(Layout&, const Datatype&, std::int64_t offset, std::int64_t times);
  void measure();
  Bounds natural_bounds();

  const BasicType* basic_ = nullptr;
  std::vector<Part> parts_;
  Recipe recipe_;
  std::int64_t size_ = 0;
  Bounds bounds_;
  std::int64_t true_lower_ = 0, true_upper_ = 0;
  std::int64_t alignment_ = 1;
  Signature signature_;
  Layout layout_;
  bool empty_ =
      false;  // no data and no explicit bounds: contributes nothing to the bounds of others
  bool committed_ = false;
  bool contiguous_ = false;
  bool overflow_ = false;
  std::string name_;
};

// ---- Signatures and counts of messages

// Of `count` elements of the type; 0: unknown (MPI_PACKED), matches any.
std::uint64_t signature_of(const Datatype& type, std::int64_t count);

// Of the first `bytes` packed bytes of a buffer of that type: what a receive of `bytes` bytes has
// taken. 0: unknown; `cut` (never the value of a signature) where the bytes end inside a basic
// element.
std::uint64_t signature_of_bytes(const Datatype& type, std::int64_t bytes, std::uint64_t cut = 1);

// MPI_Get_count, MPI_Get_elements: how many elements `bytes` received bytes are, or MPI_UNDEFINED.
MPI_Count count_of_bytes(const Datatype& type, std::int64_t bytes);
MPI_Count elements_of_bytes(const Datatype& type, std::int64_t bytes);
// The bytes of the first `elements` basic elements (MPI_Status_set_elements).
std::int64_t bytes_of_elements(const Datatype& type, std::int64_t elements);

// "MPI_INT", or the user's name, or "vector of MPI_INT".
std::string describe(const Datatype& type);

}  // namespace rehearse::smpi
