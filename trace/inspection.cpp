// SPDX-License-Identifier: MIT
//
// See inspection.hpp.
#include "trace/inspection.hpp"

#include "trace/call_inspection.hpp"
#include "trace/format.hpp"
#include "trace/goal/schedule_inspection.hpp"
#include "trace/rtrace/recording_inspection.hpp"

namespace rehearse::trace {

std::optional<Error> other_ranks(const RanksOf& one, const RanksOf& other) {
  if (one.ranks == other.ranks) return std::nullopt;
  return Error{other.path + ": " + std::to_string(other.ranks) + " ranks, but " + one.path + " has " +
               std::to_string(one.ranks)};
}

Result<Summary> summarise(const std::string& path) {
  const auto format = find_format(path);
  if (!format) return format.error();
  if (is_goal(format.value())) return goal::summarise_schedule(path);
  return format.value() == Format::rtrace ? rtrace::summarise_recording(path) : summarise_calls(path);
}

Result<std::uint64_t> count_sends(const std::string& path, std::uint64_t above, std::uint64_t to) {
  return rtrace::count_recorded_sends(path, above, to);
}

Result<std::vector<TraceDifference>> compare_traces(const std::string& one, const std::string& other, bool with_volumes,
                                                    const GoalConversion& conversion) {
  const auto first = find_format(one), second = find_format(other);
  if (!first) return first.error();
  if (!second) return second.error();
  if (is_goal(first.value()) || is_goal(second.value()))
    return goal::compare_schedules(one, other, with_volumes, conversion);
  const bool are_recordings = first.value() == Format::rtrace && second.value() == Format::rtrace;
  return are_recordings ? rtrace::compare_recordings(one, other, with_volumes)
                        : compare_calls(one, other, with_volumes);
}

}  // namespace rehearse::trace
