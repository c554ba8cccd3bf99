// SPDX-License-Identifier: MIT
//
// See log_gops_profile.hpp.
#include "app/log_gops_profile.hpp"

#include <array>
#include <bit>
#include <map>
#include <utility>

#include "app/trace/log_gops_simulation.hpp"
#include "app/trace/schedule_file.hpp"

namespace rehearse::app {
namespace {

struct TimedParameter {
  char name;
  std::uint64_t trace::LogGopsParameters::*value;
};
constexpr std::array timed_parameters = {
    TimedParameter{'L', &trace::LogGopsParameters::latency},
    TimedParameter{'o', &trace::LogGopsParameters::overhead},
    TimedParameter{'g', &trace::LogGopsParameters::gap},
    TimedParameter{'G', &trace::LogGopsParameters::gap_per_byte},
    TimedParameter{'O', &trace::LogGopsParameters::overhead_per_byte},
};

void add_messages(const trace::GoalSchedule& schedule, LogGopsProfile& profile) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, LogGopsPair> pairs;
  std::map<std::uint64_t, LogGopsSize> sizes;
  for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank) {
    const trace::GoalSchedule::Block& block = schedule.blocks[rank];
    for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
      const trace::GoalOperation& operation = schedule.operations[i];
      if (operation.kind != trace::GoalKind::send) continue;
      LogGopsPair& pair = pairs[{rank, operation.peer}];
      pair.source = rank;
      pair.destination = operation.peer;
      ++pair.messages;
      pair.bytes += operation.size;
      LogGopsSize& size = sizes[std::bit_floor(operation.size)];
      size.least = std::bit_floor(operation.size);
      ++size.messages;
      size.bytes += operation.size;
    }
  }
  for (const auto& [ends, pair] : pairs) profile.pairs.push_back(pair);
  for (const auto& [least, size] : sizes) profile.sizes.push_back(size);
}

}  // namespace

double LogGopsProfile::computation_on_path_ns() const {
  auto rest = static_cast<double>(replay.end_ns());
  for (const LogGopsGrowth& each : growth) rest -= each.path_ns();
  return rest;
}

Result<LogGopsProfile> profile_log_gops(const LogGopsRequest& request) {
  const auto schedule = read_schedule(request.file, request.conversion, request.wildcards);
  if (!schedule) return schedule.error();
  auto done = simulate(schedule.value(), request.parameters);
  if (!done) return done.error();
  LogGopsProfile profile;
  profile.replay = std::move(done.value());
  if (!profile.replay.has_ended()) return profile;
  for (const TimedParameter& parameter : timed_parameters) {
    trace::LogGopsParameters larger = request.parameters;
    ++(larger.*parameter.value);
    const auto grown = simulate(schedule.value(), larger);
    if (!grown) return grown.error();
    const auto later = static_cast<std::int64_t>(grown.value().end_ns() - profile.replay.end_ns());
    profile.growth.push_back({parameter.name, request.parameters.*parameter.value, later});
  }
  add_messages(schedule.value().schedule, profile);
  return profile;
}

}  // namespace rehearse::app
