// SPDX-License-Identifier: MIT
//
// Findings of executions that exceed the time bound.
#include "properties/time_bound.hpp"

#include <cstdio>

namespace rehearse::properties {

namespace {

std::string seconds_text(const char* format, double seconds) {
  char text[64];
  std::snprintf(text, sizeof text, format, seconds);
  return text;
}

}  // namespace

std::optional<Finding> judge_time(const RunResult& run, const std::string& platform, double bound_seconds) {
  if (run.end.seconds() <= bound_seconds) return std::nullopt;
  Finding finding;
  finding.id = "time.bound";
  finding.message = "takes " + seconds_text("%.9f s", run.end.seconds()) + " on " + platform + ", more than " +
                    seconds_text("%.9g s", bound_seconds) + " (--time-bound)";
  for (std::uint32_t actor = 0; actor < run.actors.size(); ++actor) {
    const double stopped = run.actors[actor].stopped.seconds();
    if (stopped <= bound_seconds) continue;
    finding.actors.push_back({actor});
    Location& at = finding.locations.emplace_back();
    at.actor = {actor};
    at.what = "ends at " + seconds_text("%.9f s", stopped);
  }
  return finding;
}

}  // namespace rehearse::properties
