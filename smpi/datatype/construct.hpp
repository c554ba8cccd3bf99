// SPDX-License-Identifier: MIT
//
// The datatype constructors, for counts and displacements that have been checked.
//
// Units:  strides and displacements in bytes; make_vector(), make_indexed() and make_subarray() take them in elements.
// Result: never null; if overflow() is true, the type must not be used.
// Source: MPI 5.0, 5.1.2-5.1.4; 5.1.13 for the contents of a Recipe (the callers make it).
#pragma once

#include <cstdint>
#include <span>

#include "smpi/datatype/datatype.hpp"

namespace rehearse::smpi {

using DatatypeHolder = Ref<Datatype>;

struct VectorShape {
  std::int64_t count = 0;
  std::int64_t blocklength = 0;
  std::int64_t stride = 0;
};

DatatypeHolder make_contiguous(std::int64_t count, const Datatype& old, Recipe recipe);
DatatypeHolder make_vector(VectorShape shape, const Datatype& old, Recipe recipe);
DatatypeHolder make_hvector(VectorShape shape, const Datatype& old, Recipe recipe);

// One block of `blocklength` elements of `type`.
struct Block {
  std::int64_t blocklength = 0;
  std::int64_t displacement = 0;
  const Datatype* type = nullptr;
};
DatatypeHolder make_indexed(std::span<const Block> blocks, Recipe recipe);
DatatypeHolder make_hindexed(std::span<const Block> blocks, Recipe recipe);  // also struct

DatatypeHolder make_resized(const Datatype& old, std::int64_t lower_bound, std::int64_t extent, Recipe recipe);
DatatypeHolder make_duplicate(const Datatype& old, Recipe recipe);

// One dimension of an array: `subsize` of its `size` elements, from `start` on.
struct Dimension {
  std::int64_t size = 0;
  std::int64_t subsize = 0;
  std::int64_t start = 0;
};
// The last dimension varies fastest (the order of C).
DatatypeHolder make_subarray(std::span<const Dimension> dimensions, const Datatype& old, Recipe recipe);

// One dimension of an array whose `size` elements are distributed over `processes`: the part of process `coordinate`.
struct DistributedDimension {
  std::int64_t size = 0;
  int distribution = MPI_DISTRIBUTE_NONE;
  std::int64_t argument = MPI_DISTRIBUTE_DFLT_DARG;  // block size
  int processes = 1;
  int coordinate = 0;
};
DatatypeHolder make_distributed(std::span<const DistributedDimension> dimensions, const Datatype& old, Recipe recipe);

}  // namespace rehearse::smpi
