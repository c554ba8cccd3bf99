// SPDX-License-Identifier: MIT
//
// See log_gops.hpp.
#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "trace/log_gops/idle_ranks.hpp"
#include "trace/log_gops/progress.hpp"
#include "trace/log_gops/simulator.hpp"

namespace rehearse::trace {

namespace {

struct LogGopsName {
  char name;
  std::uint64_t LogGopsParameters::*value;
};

constexpr std::array log_gops_names = {
    LogGopsName{'L', &LogGopsParameters::latency},
    LogGopsName{'o', &LogGopsParameters::overhead},
    LogGopsName{'g', &LogGopsParameters::gap},
    LogGopsName{'G', &LogGopsParameters::gap_per_byte},
    LogGopsName{'O', &LogGopsParameters::overhead_per_byte},
    LogGopsName{'S', &LogGopsParameters::eager_bytes},
};

}  // namespace

Result<LogGopsParameters> parse_log_gops(std::string_view text) {
  LogGopsParameters parameters;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string_view part = text.substr(at, end - at);
    at = end + 1;
    const auto found = std::ranges::find(log_gops_names, part.empty() ? ' ' : part.front(), &LogGopsName::name);
    const bool has_name = found != log_gops_names.end() && part.size() > 2 && part[1] == '=';
    std::uint64_t value = 0;
    const auto [last, error] = has_name ? std::from_chars(part.data() + 2, part.data() + part.size(), value)
                                        : std::from_chars_result{part.data(), std::errc::invalid_argument};
    if (error != std::errc{} || last != part.data() + part.size())
      return Error{"'" + std::string(part) +
                   "'; accepted: L=, o=, g=, G=, O= in whole nanoseconds and S= in bytes, separated by commas"};
    parameters.*found->value = value;
  }
  return parameters;
}

std::string text_of(const LogGopsParameters& parameters) {
  std::string text;
  for (const LogGopsName& each : log_gops_names)
    text += (text.empty() ? "" : ",") + std::string(1, each.name) + "=" + std::to_string(parameters.*each.value);
  return text;
}

LogGopsLoads::LogGopsLoads(std::uint32_t ranks, const LogGopsParameters& parameters)
    : parameters_(parameters),
      received_per_byte_(std::max(parameters.gap_per_byte, parameters.overhead_per_byte)),
      longest_message_(static_cast<double>(parameters.latency) +
                       2 * (static_cast<double>(parameters.overhead) + static_cast<double>(parameters.gap))),
      longest_byte_(2 * static_cast<double>(received_per_byte_)),
      of_ranks_(ranks) {}

static LogGopsLoads loads_of(const GoalSchedule& schedule, const LogGopsParameters& parameters) {
  LogGopsLoads loads(schedule.ranks(), parameters);
  for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank) {
    const GoalSchedule::Block& block = schedule.blocks[rank];
    for (std::uint32_t i = block.first; i < block.first + block.count; ++i) loads.add(rank, schedule.operations[i]);
  }
  return loads;
}

Result<LogGopsResult> simulate_log_gops(const GoalSchedule& schedule, const LogGopsParameters& parameters) {
  LogGopsLoads loads = loads_of(schedule, parameters);
  if (loads.may_be_too_long())
    return Error{schedule.files.front() + ": simulated time could exceed 9e18 ns; give smaller parameters or sizes"};
  if (schedule.ranks() > log_gops::most_ranks)
    return Error{schedule.files.front() + ": more than " + std::to_string(log_gops::most_ranks) + " ranks"};
  LogGopsResult result;
  if (log_gops::has_many_idle_ranks(schedule)) {
    const log_gops::BusyRanks busy = log_gops::busy_ranks(schedule);
    result = log_gops::run_simulation(busy.schedule, parameters);
    log_gops::add_idle_ranks(result, busy, schedule.ranks());
  } else {
    result = log_gops::run_simulation(schedule, parameters);
  }
  result.loads = std::move(loads.of_ranks());
  return result;
}

}  // namespace rehearse::trace
