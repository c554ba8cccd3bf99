// SPDX-License-Identifier: MIT
//
// The list of algorithms and their preconditions. See algorithm.hpp.
#include "simcore/collective/algorithm.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::collective {

namespace {

constexpr std::uint32_t most_segments = 65536;

struct OperationName {
  CollectiveKind operation;
  std::string_view name;
};

constexpr OperationName operations[] = {
    {CollectiveKind::barrier, "barrier"},
    {CollectiveKind::broadcast, "broadcast"},
    {CollectiveKind::reduce, "reduce"},
    {CollectiveKind::allreduce, "allreduce"},
    {CollectiveKind::gather, "gather"},
    {CollectiveKind::gatherv, "gatherv"},
    {CollectiveKind::scatter, "scatter"},
    {CollectiveKind::scatterv, "scatterv"},
    {CollectiveKind::allgather, "allgather"},
    {CollectiveKind::allgatherv, "allgatherv"},
    {CollectiveKind::alltoall, "alltoall"},
    {CollectiveKind::alltoallv, "alltoallv"},
    {CollectiveKind::scan, "scan"},
    {CollectiveKind::exscan, "exscan"},
    {CollectiveKind::reduce_scatter, "reduce_scatter"},
    {CollectiveKind::reduce_scatter_block, "reduce_scatter_block"},
};

std::vector<const Algorithm*> collect() {
  const std::span<const Algorithm> tables[] = {barrier_algorithms(),
                                               broadcast_algorithms(),
                                               reduce_algorithms(),
                                               allreduce_algorithms(),
                                               gather_algorithms(),
                                               scatter_algorithms(),
                                               allgather_algorithms(),
                                               allgatherv_algorithms(),
                                               alltoall_algorithms(),
                                               alltoallv_algorithms(),
                                               scan_algorithms(),
                                               reduce_scatter_algorithms(),
                                               reduce_scatter_block_algorithms(),
                                               two_level_algorithms()};
  std::vector<const Algorithm*> all;
  for (const auto& table : tables)
    for (const Algorithm& algorithm : table) all.push_back(&algorithm);
  std::ranges::stable_sort(all, {}, &Algorithm::operation);
  return all;
}

bool fits_below(std::uint32_t side, std::uint32_t dimensions, std::uint32_t members) {
  std::uint64_t product = 1;
  for (std::uint32_t i = 0; i < dimensions; ++i) product *= side;
  return product <= members;
}

std::vector<std::uint32_t> sides_of(std::uint32_t members, std::uint32_t dimensions) {
  if (dimensions == 1) return {members};
  std::vector<std::uint32_t> best;
  for (std::uint32_t shortest = 2; fits_below(shortest, dimensions, members); ++shortest) {
    if (members % shortest != 0) continue;
    std::vector<std::uint32_t> sides = sides_of(members / shortest, dimensions - 1);
    if (sides.empty() || sides.back() < shortest) continue;
    sides.push_back(shortest);
    best = std::move(sides);
  }
  return best;
}

}  // namespace

std::span<const Algorithm* const> all_algorithms() {
  static const std::vector<const Algorithm*> all = collect();
  return all;
}

const Algorithm* find_algorithm(CollectiveKind operation, std::string_view name) {
  for (const Algorithm* algorithm : all_algorithms())
    if (algorithm->operation == operation && algorithm->name == name) return algorithm;
  return nullptr;
}

std::string_view name_of(CollectiveKind operation) {
  for (const OperationName& each : operations)
    if (each.operation == operation) return each.name;
  return "";
}

bool has_operation(std::string_view name, CollectiveKind& operation) {
  for (const OperationName& each : operations) {
    if (each.name != name) continue;
    operation = each.operation;
    return true;
  }
  return false;
}

Nodes::Nodes(const CollectiveShape& shape) : node_of(shape.members) {
  std::unordered_map<std::uint32_t, std::uint32_t> node_by_host;
  for (std::uint32_t i = 0; i < shape.members; ++i) {
    const std::uint32_t host = shape.hosts.empty() ? i : shape.hosts[i];
    const auto count = static_cast<std::uint32_t>(members.size());
    const std::uint32_t node = node_by_host.try_emplace(host, count).first->second;
    if (node == count) members.emplace_back();
    members[node].push_back(i);
    node_of[i] = node;
  }
}

bool holds(const Precondition& needs, const CollectiveShape& shape) {
  const std::uint32_t members = shape.members;
  const std::uint64_t elements = shape.elements > 0 ? shape.elements : shape.bytes;
  if (members < needs.least_members || members > needs.most_members) return false;
  if (needs.power_of_two && power_below(members).value != members) return false;
  if (needs.even && members % 2 != 0) return false;
  if (needs.mesh > 0 && Mesh(members, needs.mesh).sides.empty()) return false;
  if (needs.commutative && !shape.is_commutative) return false;
  if (needs.elements == Elements::at_least_two && elements < 2) return false;
  if (needs.elements == Elements::at_least_members && elements < members) return false;
  if (needs.elements == Elements::at_least_power && elements < power_below(members).value) return false;
  if (!needs.shared_hosts) return true;
  const std::size_t nodes = Nodes(shape).members.size();
  return nodes > 1 && nodes < members;
}

std::string text_of(const Precondition& needs) {
  std::string text;
  const auto add = [&](bool applies, std::string what) {
    if (applies) text += (text.empty() ? "" : ", ") + std::move(what);
  };
  const bool exact = needs.least_members == needs.most_members;
  add(exact, fmt::format("{} members", needs.least_members));
  add(!exact && needs.least_members > 1, fmt::format("at least {} members", needs.least_members));
  add(needs.power_of_two, "members a power of two");
  add(needs.even, "members even");
  add(needs.mesh == 2, "members not prime");
  add(needs.mesh > 2, fmt::format("members a product of {} numbers", needs.mesh));
  add(needs.commutative, "operator commutative");
  add(needs.elements == Elements::at_least_two, "at least 2 elements");
  add(needs.elements == Elements::at_least_members, "elements not fewer than members");
  add(needs.elements == Elements::at_least_power, "elements not fewer than the greatest power of two of members");
  add(needs.shared_hosts, "several hosts, one with several members");
  return text;
}

const Algorithm& working(const Algorithm& algorithm, const CollectiveShape& shape) {
  const Algorithm* candidate = &algorithm;
  while (!holds(candidate->needs, shape)) {
    candidate = find_algorithm(candidate->operation, candidate->otherwise);
    REHEARSE_ASSERT(candidate != nullptr, "a chain of replacements ends with an algorithm without precondition");
  }
  return *candidate;
}

std::uint32_t segments_of(const CollectiveShape& shape, std::uint64_t bytes, const Parameters& parameters) {
  if (parameters.segment == 0 || bytes <= parameters.segment) return 1;
  std::uint64_t segments = (bytes + parameters.segment - 1) / parameters.segment;
  if (shape.elements > 0) segments = std::min(segments, shape.elements);
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(segments, most_segments));
}

Mesh::Mesh(std::uint32_t members, std::uint32_t dimensions) : sides(sides_of(members, dimensions)), strides{1} {
  for (const std::uint32_t side : sides) strides.push_back(strides.back() * side);
}

}  // namespace rehearse::collective
