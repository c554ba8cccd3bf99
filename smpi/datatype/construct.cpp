// SPDX-License-Identifier: MIT
//
// Each constructor as a list of parts.
#include "smpi/datatype/construct.hpp"

#include <algorithm>

namespace rehearse::smpi {
namespace {

DatatypeHolder make(std::vector<Part> parts, Recipe recipe) {
  return DatatypeHolder(new Datatype(std::move(parts), std::move(recipe)));
}

// Products and sums saturate far outside of the range that a datatype accepts, so that the datatype detects overflow.
std::int64_t bytes_of(std::int64_t elements, std::int64_t extent) {
  std::int64_t product = 0;
  if (!__builtin_mul_overflow(elements, extent, &product)) return product;
  return (elements < 0) == (extent < 0) ? INT64_MAX : INT64_MIN;
}

std::int64_t sum_of(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? INT64_MIN : INT64_MAX;
}

DatatypeHolder make_blocks(std::span<const Block> blocks, bool in_elements, Recipe recipe) {
  std::vector<Part> parts;
  parts.reserve(blocks.size());
  for (const Block& block : blocks) {
    if (block.blocklength == 0) continue;
    const std::int64_t unit = in_elements ? block.type->extent() : 1;
    parts.push_back({.displacement = bytes_of(block.displacement, unit),
                     .block = block.blocklength,
                     .type = DatatypeRef(block.type)});
  }
  return make(std::move(parts), std::move(recipe));
}

// The whole array's bytes, from 0.
Bounds whole_array(std::int64_t bytes) { return {0, bytes}; }

// The elements of one process along one dimension: whole blocks, distributed in turn.
std::vector<Part> distributed_blocks(const DistributedDimension& dimension, const DatatypeRef& inner,
                                     std::int64_t stride) {
  const std::int64_t n = dimension.size, p = dimension.processes, mine = dimension.coordinate;
  std::int64_t block = dimension.argument;
  if (dimension.distribution == MPI_DISTRIBUTE_NONE) {
    block = n;
  } else if (block == MPI_DISTRIBUTE_DFLT_DARG) {
    block = dimension.distribution == MPI_DISTRIBUTE_BLOCK ? (n + p - 1) / p : 1;
  }
  std::vector<Part> parts;
  const std::int64_t first = mine * block, round = p * block;
  const std::int64_t whole = first + block > n ? 0 : (n - first - block) / round + 1;
  if (whole > 0)
    parts.push_back({.displacement = bytes_of(first, stride),
                     .count = whole,
                     .stride = bytes_of(round, stride),
                     .block = block,
                     .type = inner});
  const std::int64_t last = first + whole * round;
  if (last < n)
    parts.push_back({.displacement = bytes_of(last, stride), .block = std::min(block, n - last), .type = inner});
  return parts;
}

}  // namespace

DatatypeHolder make_contiguous(std::int64_t count, const Datatype& old, Recipe recipe) {
  return make({{.block = count, .type = DatatypeRef(&old)}}, std::move(recipe));
}

DatatypeHolder make_vector(VectorShape shape, const Datatype& old, Recipe recipe) {
  shape.stride = bytes_of(shape.stride, old.extent());
  return make_hvector(shape, old, std::move(recipe));
}

DatatypeHolder make_hvector(VectorShape shape, const Datatype& old, Recipe recipe) {
  return make({{.count = shape.count, .stride = shape.stride, .block = shape.blocklength, .type = DatatypeRef(&old)}},
              std::move(recipe));
}

DatatypeHolder make_indexed(std::span<const Block> blocks, Recipe recipe) {
  return make_blocks(blocks, true, std::move(recipe));
}

DatatypeHolder make_hindexed(std::span<const Block> blocks, Recipe recipe) {
  return make_blocks(blocks, false, std::move(recipe));
}

DatatypeHolder make_resized(const Datatype& old, std::int64_t lower_bound, std::int64_t extent, Recipe recipe) {
  return DatatypeHolder(
      new Datatype({{.type = DatatypeRef(&old)}}, std::move(recipe), Bounds{lower_bound, sum_of(lower_bound, extent)}));
}

DatatypeHolder make_duplicate(const Datatype& old, Recipe recipe) {
  DatatypeHolder copy = make({{.type = DatatypeRef(&old)}}, std::move(recipe));
  if (old.committed()) copy->commit();
  return copy;
}

DatatypeHolder make_subarray(std::span<const Dimension> dimensions, const Datatype& old, Recipe recipe) {
  DatatypeRef inner(&old);
  std::int64_t stride = old.extent(), displacement = 0;
  for (std::size_t d = dimensions.size(); d-- > 0;) {
    const Dimension& dimension = dimensions[d];
    // The elements of a dimension are `stride` apart: the extent of the sub-arrays does not matter.
    inner = make({{.count = dimension.subsize, .stride = stride, .type = inner}}, Recipe{});
    displacement = sum_of(displacement, bytes_of(dimension.start, stride));
    stride = bytes_of(dimension.size, stride);
  }
  return DatatypeHolder(
      new Datatype({{.displacement = displacement, .type = inner}}, std::move(recipe), whole_array(stride)));
}

DatatypeHolder make_distributed(std::span<const DistributedDimension> dimensions, const Datatype& old, Recipe recipe) {
  DatatypeRef inner(&old);
  std::int64_t stride = old.extent();
  for (std::size_t d = dimensions.size(); d-- > 0;) {
    // A block's elements are consecutive only if they have the extent of the dimension.
    const DatatypeHolder spaced = make_resized(*inner, 0, stride, Recipe{});
    inner = make(distributed_blocks(dimensions[d], spaced, stride), Recipe{});
    stride = bytes_of(dimensions[d].size, stride);
  }
  return DatatypeHolder(new Datatype({{.type = inner}}, std::move(recipe), whole_array(stride)));
}

}  // namespace rehearse::smpi
