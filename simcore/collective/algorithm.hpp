// SPDX-License-Identifier: MIT
//
// The list of collective algorithms: the operation of each, its precondition, and the replacement if that does not
// hold.
//
// Shape: one table per family, in its file; all_algorithms() is all of them. For each operation there is one
//        without precondition, at which every chain of `otherwise` ends (tests/unit/simcore/collective checks it).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "simcore/collective/rounds.hpp"

namespace rehearse::collective {

struct Parameters {
  std::uint64_t segment = 0;  // bytes; 0: not segmented
  std::uint32_t radix = 0;    // children of a node, or number of parallel chains
  std::uint32_t window = 0;   // concurrent exchanges; 0: all
};

enum class Elements : std::uint8_t { any, at_least_two, at_least_members, at_least_power };

// A condition on the shape of a collective.
struct Precondition {
  std::uint32_t least_members = 1;
  std::uint32_t most_members = ~0u;
  bool power_of_two = false;
  bool even = false;
  std::uint32_t mesh = 0;  // members form a mesh with this number of dimensions
  bool commutative = false;
  Elements elements = Elements::any;
  bool shared_hosts = false;  // several hosts, one of them with several members
};

struct Algorithm {
  CollectiveKind operation = CollectiveKind::by_flow;
  std::string_view name = {};
  Precondition needs = {};
  std::string_view otherwise = {};  // empty: it has no precondition
  Parameters defaults = {};
  bool has_segment = false;
  bool has_radix = false;
  bool has_window = false;
  SchedulePtr (*build)(const CollectiveShape& shape, const Parameters& parameters) = nullptr;
};

std::span<const Algorithm> barrier_algorithms();
std::span<const Algorithm> broadcast_algorithms();
std::span<const Algorithm> reduce_algorithms();
std::span<const Algorithm> allreduce_algorithms();
std::span<const Algorithm> gather_algorithms();
std::span<const Algorithm> scatter_algorithms();
std::span<const Algorithm> allgather_algorithms();
std::span<const Algorithm> allgatherv_algorithms();
std::span<const Algorithm> alltoall_algorithms();
std::span<const Algorithm> alltoallv_algorithms();
std::span<const Algorithm> scan_algorithms();
std::span<const Algorithm> reduce_scatter_algorithms();
std::span<const Algorithm> reduce_scatter_block_algorithms();
std::span<const Algorithm> two_level_algorithms();

// In the order of their operations.
std::span<const Algorithm* const> all_algorithms();
const Algorithm* find_algorithm(CollectiveKind operation, std::string_view name);

std::string_view name_of(CollectiveKind operation);
bool has_operation(std::string_view name, CollectiveKind& operation);

bool holds(const Precondition& needs, const CollectiveShape& shape);
std::string text_of(const Precondition& needs);

// The algorithm, or the first one of its chain of `otherwise` whose precondition holds.
const Algorithm& working(const Algorithm& algorithm, const CollectiveShape& shape);

// The number of segments of the parameter's size; at most one for each element.
std::uint32_t segments_of(const CollectiveShape& shape, std::uint64_t bytes, const Parameters& parameters);

// Members as a mesh; the first coordinate changes fastest. All sides are at least 2, as equal as possible, and in
// descending order. No sides if there is no such mesh.
struct Mesh {
  Mesh(std::uint32_t members, std::uint32_t dimensions);

  // The member at this distance from `me` in one coordinate, cyclically.
  std::uint32_t other(std::uint32_t me, std::uint32_t dimension, std::uint32_t steps) const {
    const std::uint32_t side = sides[dimension], stride = strides[dimension];
    const std::uint32_t coordinate = me / stride % side;
    return me - coordinate * stride + (coordinate + steps) % side * stride;
  }
  // Members with the same coordinates as `me`, from this one on.
  Range below(std::uint32_t me, std::uint32_t dimension) const {
    return {me / strides[dimension] * strides[dimension], strides[dimension], 1};
  }
  // Members with the same coordinates as `me`, up to this one.
  Range beyond(std::uint32_t me, std::uint32_t dimension) const {
    const std::uint32_t stride = strides[dimension + 1];
    return {me % stride, strides.back() / stride, stride};
  }

  std::vector<std::uint32_t> sides;
  std::vector<std::uint32_t> strides;  // one more than sides
};

// The members on each host.
struct Nodes {
  explicit Nodes(const CollectiveShape& shape);
  std::vector<std::vector<std::uint32_t>> members;  // by node, in the order of their first members
  std::vector<std::uint32_t> node_of;               // by member
};

}  // namespace rehearse::collective
