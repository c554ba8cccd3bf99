// SPDX-License-Identifier: MIT
//
// See log_gops_replay.hpp.
#include "app/log_gops_replay.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include "app/trace/log_gops_simulation.hpp"
#include "app/trace/schedule_file.hpp"
#include "app/trace/schedule_findings.hpp"

namespace rehearse::app {
namespace {

std::vector<LogGopsRank> ranks_of(const trace::GoalSchedule& schedule, const trace::LogGopsParameters& parameters,
                                  const trace::LogGopsResult& result) {
  std::vector<LogGopsRank> ranks(schedule.ranks());
  std::vector<bool> is_stuck(schedule.operations.size());
  for (const std::uint32_t each : result.begun) is_stuck[each] = true;
  for (const std::uint32_t each : result.not_begun) is_stuck[each] = true;
  for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank) {
    LogGopsRank& each = ranks[rank];
    each.end_ns = result.ends[rank];
    const trace::GoalSchedule::Block& block = schedule.blocks[rank];
    if (block.count == 0) continue;
    std::array<bool, 256> is_used{};  // by processor
    for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
      const trace::GoalOperation& operation = schedule.operations[i];
      each.has_ended = each.has_ended && !is_stuck[i];
      if (operation.kind == trace::GoalKind::calculation) each.compute_ns += operation.size;
      const bool takes_none = operation.kind == trace::GoalKind::calculation && operation.size == 0;
      if (!takes_none) is_used[operation.cpu] = true;
      if (operation.kind != trace::GoalKind::send) continue;
      ++each.messages;
      each.bytes += operation.size;
      const std::uint64_t more = operation.size == 0 ? 0 : operation.size - 1;
      each.overhead_ns += parameters.overhead + more * parameters.overhead_per_byte;
      ranks[operation.peer].overhead_ns += parameters.overhead +
                                           more * std::max(parameters.overhead_per_byte, parameters.gap_per_byte);
    }
    each.processors = static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(1, std::ranges::count(is_used, true)));
  }
  return ranks;
}

}  // namespace

std::uint64_t LogGopsReplay::end_ns() const {
  std::uint64_t end = 0;
  for (const LogGopsRank& rank : ranks) end = std::max(end, rank.end_ns);
  return end;
}

bool LogGopsReplay::has_ended() const {
  return unsupported.empty() && std::ranges::all_of(ranks, &LogGopsRank::has_ended);
}

Result<LogGopsReplay> simulate(const trace::ConvertedTrace& read, const trace::LogGopsParameters& parameters) {
  LogGopsReplay replay;
  const trace::GoalSchedule& schedule = read.schedule;
  replay.format = schedule.format;
  replay.actions = schedule.actions;
  if (!read.unsupported.empty()) {
    replay.unsupported.push_back(read.unsupported);
    return replay;
  }
  const auto begin = std::chrono::steady_clock::now();
  const auto result = trace::simulate_log_gops(schedule, parameters);
  if (!result) return result.error();
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  replay.wall_seconds = passed.count();
  replay.events = result.value().events;
  replay.ranks = ranks_of(schedule, parameters, result.value());
  replay.findings = schedule_findings(schedule, result.value());
  return replay;
}

Result<LogGopsReplay> replay_log_gops(const LogGopsRequest& request) {
  const auto read = read_schedule(request.file, request.conversion, request.wildcards);
  if (!read) return read.error();
  return simulate(read.value(), request.parameters);
}

}  // namespace rehearse::app
