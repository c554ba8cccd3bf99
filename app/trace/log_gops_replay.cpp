// SPDX-License-Identifier: MIT
//
// See log_gops_replay.hpp.
#include "app/log_gops_replay.hpp"

#include <algorithm>
#include <bitset>
#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "app/trace/log_gops_simulation.hpp"
#include "app/trace/schedule_file.hpp"
#include "app/trace/schedule_findings.hpp"
#include "trace/format.hpp"
#include "trace/trace.hpp"

namespace rehearse::app {
namespace {

LogGopsRank rank_of(std::uint64_t end_ns, const trace::LogGopsLoad& load) {
  LogGopsRank rank;
  rank.end_ns = end_ns;
  rank.compute_ns = load.compute_ns;
  rank.overhead_ns = load.overhead_ns;
  rank.messages = load.messages;
  rank.bytes = load.bytes;
  return rank;
}

// Those on which its operations take time; at least one.
std::uint32_t processors_of(std::span<const trace::GoalOperation> operations) {
  std::bitset<256> is_used;
  for (const trace::GoalOperation& operation : operations) {
    const bool takes_none = operation.kind == trace::GoalKind::calculation && operation.size == 0;
    if (!takes_none) is_used.set(operation.cpu);
  }
  return std::max(1u, static_cast<std::uint32_t>(is_used.count()));
}

std::vector<LogGopsRank> ranks_of(const trace::GoalSchedule& schedule, const trace::LogGopsResult& result) {
  std::vector<LogGopsRank> ranks;
  ranks.reserve(schedule.ranks());
  std::vector<std::uint32_t> stuck = result.begun;
  stuck.insert(stuck.end(), result.not_begun.begin(), result.not_begun.end());
  std::ranges::sort(stuck);
  for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank) {
    const trace::GoalSchedule::Block& block = schedule.blocks[rank];
    const auto first_stuck = std::ranges::lower_bound(stuck, block.first);
    LogGopsRank& each = ranks.emplace_back(rank_of(result.ends[rank], result.loads[rank]));
    each.has_ended = first_stuck == stuck.end() || *first_stuck - block.first >= block.count;
    each.processors = processors_of(std::span(schedule.operations).subspan(block.first, block.count));
  }
  return ranks;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Of a trace of calls that ends well; nothing: it does not, or it is a schedule.
Result<std::optional<LogGopsReplay>> replay_calls(const LogGopsRequest& request) {
  const auto format = trace::find_format(request.file);
  if (!format) return format.error();
  if (trace::is_goal(format.value())) return std::optional<LogGopsReplay>();
  const auto calls = trace::open_trace(request.file, request.wildcards);
  if (!calls) return calls.error();
  const auto begin = std::chrono::steady_clock::now();
  const auto simulated = trace::simulate_calls(*calls.value(), request.conversion, request.parameters);
  if (!simulated) return std::optional<LogGopsReplay>();
  LogGopsReplay replay;
  replay.format = calls.value()->format();
  replay.actions = simulated->actions;
  replay.wall_seconds = seconds_since(begin);
  replay.events = simulated->result.events;
  const trace::LogGopsResult& result = simulated->result;
  for (std::size_t i = 0; i < result.loads.size(); ++i)
    replay.ranks.push_back(rank_of(result.ends[i], result.loads[i]));
  return std::optional(std::move(replay));
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
  replay.wall_seconds = seconds_since(begin);
  replay.events = result.value().events;
  replay.ranks = ranks_of(schedule, result.value());
  replay.findings = schedule_findings(schedule, result.value());
  return replay;
}

Result<LogGopsReplay> replay_log_gops(const LogGopsRequest& request) {
  auto ended = replay_calls(request);
  if (!ended) return ended.error();
  if (ended.value()) return std::move(*ended.value());
  const auto read = read_schedule(request.file, request.conversion, request.wildcards);
  if (!read) return read.error();
  return simulate(read.value(), request.parameters);
}

}  // namespace rehearse::app
