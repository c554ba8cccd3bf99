// SPDX-License-Identifier: MIT
//
// See idle_ranks.hpp.
#include "trace/log_gops/idle_ranks.hpp"

#include <algorithm>
#include <utility>

namespace rehearse::trace::log_gops {

namespace {

constexpr std::size_t few_ranks = 1024;

bool has_peer(const GoalOperation& operation) {
  return operation.kind != GoalKind::calculation && operation.peer != goal_any;
}

}  // namespace

bool has_many_idle_ranks(const GoalSchedule& schedule) {
  return schedule.blocks.size() > few_ranks && schedule.blocks.size() / 4 > schedule.operations.size();
}

BusyRanks busy_ranks(const GoalSchedule& schedule) {
  std::vector<bool> is_busy(schedule.blocks.size());
  for (std::size_t rank = 0; rank < schedule.blocks.size(); ++rank) is_busy[rank] = schedule.blocks[rank].count > 0;
  for (const GoalOperation& operation : schedule.operations)
    if (has_peer(operation)) is_busy[operation.peer] = true;
  BusyRanks busy;
  busy.schedule.operations = schedule.operations;
  busy.schedule.successors = schedule.successors;
  for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank) {
    if (!is_busy[rank]) continue;
    busy.ranks.push_back(rank);
    busy.schedule.blocks.push_back(schedule.blocks[rank]);
  }
  for (GoalOperation& operation : busy.schedule.operations)
    if (has_peer(operation))
      operation.peer =
          static_cast<std::uint32_t>(std::ranges::lower_bound(busy.ranks, operation.peer) - busy.ranks.begin());
  return busy;
}

void add_idle_ranks(LogGopsResult& result, const BusyRanks& busy, std::uint32_t all) {
  const std::vector<std::uint64_t> ends = std::exchange(result.ends, std::vector<std::uint64_t>(all));
  for (std::size_t i = 0; i < ends.size(); ++i) result.ends[busy.ranks[i]] = ends[i];
}

}  // namespace rehearse::trace::log_gops
