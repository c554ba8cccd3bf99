// SPDX-License-Identifier: MIT
//
// The words of differences.
#include "mc/verdict/told_apart.hpp"

namespace rehearse::mc {

Finding make_difference(std::uint32_t actor, bool is_output, const CallDescription& where,
                        const std::string& schedule, const std::string& first_schedule) {
  Finding finding;
  finding.id = is_output ? "outcome.output" : "outcome.sends";
  finding.actors = {{actor}};
  finding.schedule = schedule + std::string(against) + first_schedule;
  Location& location = finding.locations.emplace_back();
  location.actor = {actor};
  location.call = where.call;
  if (!where.frames.empty()) {
    location.file = where.frames[0].file;
    location.line = where.frames[0].line;
    location.function = where.frames[0].function;
  }
  location.what = is_output ? "what it had written by then differs" : "this send differs";
  finding.message = "actor " + std::to_string(actor) +
                    (is_output ? " writes something else" : " sends something else") +
                    " than in the first execution, whose schedule is " +
                    (first_schedule.empty() ? "empty" : "'" + first_schedule + "'");
  if (!location.call.empty())
    finding.message += "; first seen in " + location.call +
                       (location.file.empty() ? "" : " at " + location.file + ":" + std::to_string(location.line));
  return finding;
}

}  // namespace rehearse::mc
