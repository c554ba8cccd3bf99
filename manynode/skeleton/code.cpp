// SPDX-License-Identifier: MIT
//
// See code.hpp.
#include "manynode/skeleton/code.hpp"

#include <algorithm>
#include <limits>

#include "simcore/support/format.hpp"

namespace rehearse::manynode {

CollectiveForm form_of(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::broadcast: return {Flow::root_to_all, false, false};
    case CollectiveKind::reduce: return {Flow::all_to_root, true, false};
    case CollectiveKind::gather:
    case CollectiveKind::gatherv: return {Flow::all_to_root, false, false};
    case CollectiveKind::scatter:
    case CollectiveKind::scatterv: return {Flow::root_to_all, false, true};
    case CollectiveKind::alltoall:
    case CollectiveKind::alltoallv: return {Flow::all_to_all, false, true};
    case CollectiveKind::scan:
    case CollectiveKind::exscan: return {Flow::prefix, true, false};
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::reduce_scatter_block: return {Flow::all_to_all, true, true};
    case CollectiveKind::allreduce: return {Flow::all_to_all, true, false};
    default: return {Flow::all_to_all, false, false};
  }
}

std::optional<std::uint32_t> neighbour_of(std::uint32_t rank, const Instruction& step, std::uint32_t direction) {
  const std::uint32_t dimension = direction / 2;
  const bool is_next = direction % 2 == 0;
  std::uint32_t stride = 1;  // the last dimension changes fastest
  for (std::size_t i = step.sizes.size(); i-- > dimension + 1;) stride *= step.sizes[i];
  const std::uint32_t size = step.sizes[dimension];
  const std::uint32_t coordinate = rank / stride % size;
  if (size == 1) return std::nullopt;
  const bool is_at_end = coordinate == (is_next ? size - 1 : 0);
  if (is_at_end && !step.is_periodic) return std::nullopt;
  const std::uint32_t there = is_at_end ? (is_next ? 0 : size - 1) : (is_next ? coordinate + 1 : coordinate - 1);
  return rank - coordinate * stride + there * stride;
}

Result<std::unique_ptr<SkeletonCode>> SkeletonCode::make(const Skeleton& skeleton, std::uint32_t ranks) {
  auto code = std::make_unique<SkeletonCode>();
  code->ranks_ = ranks;
  if (auto placed = code->place_ranks(skeleton); !placed) return placed.error();
  if (auto added = code->add(skeleton.body, 0); !added) return added.error();
  code->append(Action::end, "the end");
  for (Instruction& each : code->instructions_) {
    each.first = each.first.with_ranks(ranks);
    each.bytes = each.bytes.with_ranks(ranks);
  }
  return code;
}

Instruction& SkeletonCode::append(Action action, const std::string& place) {
  Instruction& instruction = instructions_.emplace_back();
  instruction.action = action;
  instruction.place = place;
  return instruction;
}

Result<void> SkeletonCode::add(const Body& body, std::uint32_t depth) {
  for (const Step& step : body)
    if (auto added = add(step, depth); !added) return added;
  return {};
}

Result<void> SkeletonCode::add(const Step& step, std::uint32_t depth) {
  if (const auto* compute = std::get_if<ComputeStep>(&step.what)) {
    Instruction& instruction = append(Action::compute, step.place);
    instruction.marker = compute->marker;
    instruction.is_common = compute->is_common;
    instruction.first = compute->scale;
  } else if (const auto* message = std::get_if<MessageStep>(&step.what)) {
    Instruction& instruction = append(Action::message, step.place);
    instruction.is_send = message->is_send;
    instruction.is_blocking = message->is_blocking;
    instruction.first = message->peer;
    instruction.bytes = message->bytes;
    instruction.tag = message->tag;
    has_messages_ = true;
  } else if (std::holds_alternative<WaitStep>(step.what)) {
    append(Action::wait, step.place);
  } else if (const auto* collective = std::get_if<CollectiveStep>(&step.what)) {
    Instruction& instruction = append(Action::collective, step.place);
    instruction.kind = collective->kind;
    instruction.first = collective->root;
    instruction.bytes = collective->bytes;
    has_segments_ |= form_of(collective->kind).has_segments;
  } else if (const auto* neighbours = std::get_if<NeighbourStep>(&step.what)) {
    return add_neighbours(*neighbours, step.place);
  } else if (const auto* loop = std::get_if<LoopStep>(&step.what)) {
    const std::uint32_t begin = size();
    Instruction& instruction = append(Action::loop, step.place);
    instruction.first = loop->count;
    instruction.depth = depth;
    loop_depth_ = std::max(loop_depth_, depth + 1);
    if (auto added = add(loop->body, depth + 1); !added) return added;
    Instruction& turn = append(Action::next_turn, step.place);
    turn.target = begin;
    turn.depth = depth;
    instructions_[begin].target = size();
  } else if (const auto* branch = std::get_if<BranchStep>(&step.what)) {
    const std::uint32_t begin = size();
    append(Action::branch, step.place).first = branch->condition;
    if (auto added = add(branch->body, depth); !added) return added;
    const std::uint32_t jump = size();
    append(Action::jump, step.place);
    instructions_[begin].target = size();
    if (auto added = add(branch->otherwise, depth); !added) return added;
    instructions_[jump].target = size();
  }
  return {};
}

Result<void> SkeletonCode::add_neighbours(const NeighbourStep& step, const std::string& place) {
  std::vector<std::uint32_t> sizes = step.sizes.empty() ? balanced_factors(ranks_, step.dimensions) : step.sizes;
  std::uint64_t product = 1;
  for (const std::uint32_t size : sizes) product = std::min<std::uint64_t>(product * size, ~0u);
  if (product != ranks_)
    return Error{fmt::format("{}: neighbours '{}' are {} ranks, not {}; accepted: sizes whose product is the number of "
                             "ranks, or a number of dimensions, as in torus:2d",
                             place, step.text, product, ranks_)};
  Instruction& instruction = append(Action::neighbours, place);
  instruction.sizes = std::move(sizes);
  instruction.is_periodic = step.is_periodic;
  instruction.bytes = step.bytes;
  has_messages_ = true;
  return {};
}

Result<void> SkeletonCode::place_ranks(const Skeleton& skeleton) {
  constexpr std::uint16_t nowhere = std::numeric_limits<std::uint16_t>::max();
  cluster_of_.assign(ranks_, nowhere);
  std::uint32_t placed = 0;
  for (std::size_t i = 0; i < skeleton.clusters.size() && placed < ranks_; ++i) {
    const Cluster& cluster = skeleton.clusters[i];
    const auto take = [&](std::uint32_t rank) {
      if (rank >= ranks_ || cluster_of_[rank] != nowhere) return;
      cluster_of_[rank] = static_cast<std::uint16_t>(i);
      ++placed;
    };
    for (const std::uint32_t rank : cluster.ranks) take(rank);
    if (!cluster.ranks.empty()) continue;
    Expression::Variables variables;
    variables.ranks = ranks_;
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      variables.rank = rank;
      if (!cluster.rule || cluster.rule->value(variables) != 0) take(rank);
    }
  }
  if (placed == ranks_) return {};
  const auto first = std::find(cluster_of_.begin(), cluster_of_.end(), nowhere) - cluster_of_.begin();
  return Error{fmt::format("clusters: none of them has rank {} of {}; accepted: rules that hold for all ranks, such as "
                           "a last cluster with the ranks \"all\"",
                           first, ranks_)};
}

}  // namespace rehearse::manynode
