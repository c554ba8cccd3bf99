// SPDX-License-Identifier: MIT
//
// See log_gops_replay.hpp.
#include "app/log_gops_replay.hpp"

#include <algorithm>
#include <chrono>

#include "app/trace/schedule_file.hpp"
#include "app/trace/schedule_findings.hpp"

namespace rehearse::app {
namespace {

std::vector<LogGopsRank> ranks_of(const trace::GoalSchedule& schedule, const trace::LogGopsResult& result) {
  std::vector<LogGopsRank> ranks;
  std::vector<bool> is_stuck(schedule.operations.size());
  for (const std::uint32_t each : result.begun) is_stuck[each] = true;
  for (const std::uint32_t each : result.not_begun) is_stuck[each] = true;
  for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank) {
    LogGopsRank each;
    each.end_ns = result.ends[rank];
    const trace::GoalSchedule::Block& block = schedule.blocks[rank];
    for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
      const trace::GoalOperation& operation = schedule.operations[i];
      each.has_ended = each.has_ended && !is_stuck[i];
      if (operation.kind == trace::GoalKind::calculation) each.compute_ns += operation.size;
      if (operation.kind != trace::GoalKind::send) continue;
      ++each.messages;
      each.bytes += operation.size;
    }
    ranks.push_back(each);
  }
  return ranks;
}

}  // namespace

std::uint64_t LogGopsReplay::end_ns() const {
  std::uint64_t end = 0;
  for (const LogGopsRank& rank : ranks) end = std::max(end, rank.end_ns);
  return end;
}

Result<LogGopsReplay> replay_log_gops(const LogGopsRequest& request) {
  const auto read = read_schedule(request.file, request.conversion, request.wildcards);
  if (!read) return read.error();
  LogGopsReplay replay;
  const trace::GoalSchedule& schedule = read.value().schedule;
  replay.format = schedule.format;
  replay.actions = schedule.actions;
  if (!read.value().unsupported.empty()) {
    replay.unsupported.push_back(read.value().unsupported);
    return replay;
  }
  const auto begin = std::chrono::steady_clock::now();
  const auto result = trace::simulate_log_gops(schedule, request.parameters);
  if (!result) return result.error();
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  replay.wall_seconds = passed.count();
  replay.events = result.value().events;
  replay.ranks = ranks_of(schedule, result.value());
  replay.findings = schedule_findings(schedule, result.value());
  return replay;
}

}  // namespace rehearse::app
