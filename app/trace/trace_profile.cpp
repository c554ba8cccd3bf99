// SPDX-License-Identifier: MIT
//
// See trace_profile.hpp.
#include "app/trace_profile.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "app/trace/replay_profiler.hpp"
#include "app/trace_caveats.hpp"

namespace rehearse::app {

std::string_view name_of(Spent spent) {
  constexpr std::array<std::string_view, uses_of_time> names = {"computation", "late sender", "late receiver",
                                                                "late member", "transfer",    "collective",
                                                                "overhead",    "polling",     "pause"};
  return names[static_cast<std::size_t>(spent)];
}

Duration TimeByUse::all() const {
  Duration all;
  for (const Duration each : spent) all = all + each;
  return all;
}

void TimeByUse::add(const TimeByUse& other) {
  for (std::size_t i = 0; i < spent.size(); ++i) spent[i] = spent[i] + other.spent[i];
}

namespace {

// The sums of rows with the same text there, by their time.
std::vector<ProfileRow> sums_by(const std::vector<ProfileRow>& rows, std::string ProfileRow::*text) {
  std::map<std::string_view, ProfileRow> sums;
  for (const ProfileRow& row : rows) {
    ProfileRow& sum = sums[row.*text];
    sum.*text = row.*text;
    sum.operations += row.operations;
    sum.bytes += row.bytes;
    sum.time.add(row.time);
    sum.path.add(row.path);
  }
  std::vector<ProfileRow> sorted;
  for (auto& [name, sum] : sums) sorted.push_back(std::move(sum));
  std::ranges::stable_sort(sorted, [](const ProfileRow& one, const ProfileRow& other) {
    return one.time.all() > other.time.all();
  });
  return sorted;
}

}  // namespace

std::vector<ProfileRow> TimeProfile::by_action() const { return sums_by(rows, &ProfileRow::action); }

std::vector<ProfileRow> TimeProfile::by_function() const { return sums_by(rows, &ProfileRow::function); }

Result<TraceProfile> profile_trace(const TraceReplayRequest& request) {
  ReplayProfiler profiler;
  auto replay = replay_any(request, &profiler);
  if (!replay) return replay.error();
  TraceProfile profile{std::move(replay.value()), std::nullopt, {}};
  const TimedRun& run = profile.replay.run;
  const bool has_ended = run.unsupported.empty() &&
                         std::ranges::all_of(run.result.outcome.actors, [](const ActorOutcome& actor) {
                           return actor.state == ActorOutcome::State::ended;
                         });
  if (!has_ended) return profile;
  profile.profile = profiler.finish(run.result);
  profile.caveats = caveats_of(request, profile.replay);
  return profile;
}

}  // namespace rehearse::app
