// SPDX-License-Identifier: MIT
//
// See code.hpp.
#include "manynode/skeleton/code.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

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
  for (const Communicator& each : skeleton.communicators) code->split(each);
  if (auto added = code->add(skeleton.body, 0); !added) return added.error();
  code->append(Action::end, "the end");
  for (Instruction& each : code->instructions_) {
    each.first = each.first.with_ranks(ranks);
    each.bytes = each.bytes.with_ranks(ranks);
    each.second = each.second.with_ranks(ranks);
    if (each.action == Action::loop && each.first.is_number())
      each.turns = integer_of(each.first.number()).value_or(-1);
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
    add_message(*message, Action::message, step.place);
  } else if (const auto* exchange = std::get_if<ExchangeStep>(&step.what)) {
    add_message(exchange->send, Action::exchange, step.place);
    add_message(exchange->receive, Action::exchange, step.place);
  } else if (const auto* wait = std::get_if<WaitStep>(&step.what)) {
    Instruction& instruction = append(Action::wait, step.place);
    instruction.waits = wait->what;
    instruction.first = wait->which;
  } else if (const auto* collective = std::get_if<CollectiveStep>(&step.what)) {
    Instruction& instruction = append(Action::collective, step.place);
    instruction.kind = collective->kind;
    instruction.first = collective->root;
    instruction.bytes = collective->bytes;
    instruction.second = collective->elements;
    instruction.is_blocking = collective->is_blocking;
    instruction.communicator = collective->communicator;
    has_messages_ |= !collective->is_blocking;
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

void SkeletonCode::add_message(const MessageStep& step, Action action, const std::string& place) {
  Instruction& instruction = append(action, place);
  instruction.is_send = step.is_send;
  instruction.is_blocking = step.is_blocking;
  instruction.mode = step.mode;
  instruction.has_peer = step.peer.has_value();
  instruction.has_bytes = step.bytes.has_value();
  instruction.has_tag = step.tag.has_value();
  instruction.first = step.peer.value_or(Expression(0));
  instruction.bytes = step.bytes.value_or(Expression(0));
  instruction.second = step.tag.value_or(Expression(0));
  instruction.communicator = step.communicator;
  has_messages_ = true;
}

void SkeletonCode::split(const Communicator& communicator) {
  std::map<double, std::vector<std::pair<double, std::uint32_t>>> by_colour;
  Expression::Variables variables;
  variables.ranks = ranks_;
  for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
    variables.rank = rank;
    by_colour[communicator.colour.value(variables)].emplace_back(communicator.key.value(variables), rank);
  }
  RankGroups& groups = groups_.emplace_back();
  groups.group_of.resize(ranks_);
  groups.number_of.resize(ranks_);
  for (auto& [colour, ranks] : by_colour) {
    std::sort(ranks.begin(), ranks.end());
    std::vector<ActorId>& members = groups.members.emplace_back();
    for (const auto& [key, rank] : ranks) {
      groups.group_of[rank] = static_cast<std::uint32_t>(groups.members.size() - 1);
      groups.number_of[rank] = static_cast<std::uint32_t>(members.size());
      members.push_back({rank});
    }
  }
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

// The clusters of a profile, whose rules refer to each other. Nothing: they are rules of a skeleton.
static std::optional<std::vector<RankCluster>> profiled_clusters(const Skeleton& skeleton) {
  std::vector<RankCluster> clusters;
  for (const Cluster& each : skeleton.clusters) {
    if (!each.named) return std::nullopt;
    clusters.push_back({static_cast<std::uint32_t>(clusters.size()), {}, 0, *each.named});
  }
  return clusters;
}

Result<void> SkeletonCode::place_ranks(const Skeleton& skeleton) {
  constexpr std::uint16_t nowhere = std::numeric_limits<std::uint16_t>::max();
  if (skeleton.clusters.size() >= nowhere) return Error{"clusters: more than 65,534"};
  cluster_of_.assign(ranks_, nowhere);
  if (const auto profiled = profiled_clusters(skeleton)) {
    for (std::uint32_t rank = 0; rank < ranks_; ++rank)
      cluster_of_[rank] = static_cast<std::uint16_t>(manynode::cluster_of(*profiled, rank, ranks_));
    return {};
  }
  std::uint32_t placed = 0;
  Expression::Variables variables;
  variables.ranks = ranks_;
  for (std::size_t i = 0; i < skeleton.clusters.size() && placed < ranks_; ++i) {
    const Cluster& cluster = skeleton.clusters[i];
    const auto has = [&](std::uint32_t rank) {
      if (!cluster.ranks.empty()) return std::ranges::binary_search(cluster.ranks, rank);
      if (cluster.named) return cluster.named->contains(rank, ranks_);
      variables.rank = rank;
      return !cluster.rule || cluster.rule->value(variables) != 0;
    };
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      if (cluster_of_[rank] != nowhere || !has(rank)) continue;
      cluster_of_[rank] = static_cast<std::uint16_t>(i);
      ++placed;
    }
  }
  if (placed == ranks_) return {};
  const auto first = std::ranges::find(cluster_of_, nowhere) - cluster_of_.begin();
  return Error{fmt::format("clusters: none of them has rank {} of {}; accepted: rules that hold for all ranks, such as "
                           "a last cluster with the ranks \"all\"",
                           first, ranks_)};
}

}  // namespace rehearse::manynode
