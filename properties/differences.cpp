// SPDX-License-Identifier: MIT
//
// The texts of findings about executions that differ.
#include "properties/differences.hpp"

#include "properties/words.hpp"

namespace rehearse::properties {

namespace {

std::string schedule_text(const Schedule& schedule) {
  return schedule.empty() ? "the empty schedule" : "schedule '" + to_text(schedule) + "'";
}

Finding deviation(const Difference& difference, const std::string& id, const std::string& what,
                  const std::string& there) {
  Finding finding;
  finding.id = id;
  finding.actors = {difference.actor};
  finding.message = rank(difference.actor) + " " + what + " than in the first execution (" +
                    schedule_text(difference.one.schedule) + ")";
  if (!difference.where.call.empty() || !difference.where.file.empty())
    finding.message += "; first seen in " + call_and_line(difference.where);
  finding.locations = {difference.where};
  finding.locations.front().what = there;
  finding.witness.schedule = difference.other.schedule;
  return finding;
}

Finding race(const Difference& difference) {
  const Location& where = difference.where;
  Finding finding;
  finding.id = "race.wildcard";
  finding.severity = Severity::note;
  finding.actors = {difference.actor};
  const auto senders = [](const Difference::Side& side) {
    return (side.taken.size() == 1 ? "the message of " : "messages of ") + ranks(side.taken);
  };
  const bool is_named = !where.call.empty() || !where.file.empty();
  finding.message = rank(difference.actor) + (is_named ? " in " + call_and_line(where) : "") + " takes " +
                    senders(difference.one) + " in one execution and " + senders(difference.other) + " in another";
  if (!difference.also.empty())
    finding.message += "; so " + std::string(difference.also.size() == 1 ? "does " : "do ") +
                       many_ranks(difference.also) + " there";
  finding.locations = {where};
  finding.locations.front().what = "takes " + senders(difference.one) + " with " +
                                   schedule_text(difference.one.schedule) + " and " + senders(difference.other) +
                                   " with " + schedule_text(difference.other.schedule);
  const auto add_sent = [&finding](const Difference::Side& side, const char* when) {
    for (const Location& sent : side.sent) {
      finding.locations.push_back(sent);
      finding.locations.back().what = std::string("sends the message that is taken in ") + when;
    }
  };
  add_sent(difference.one, "one execution");
  add_sent(difference.other, "the other");
  finding.witness.schedule = difference.other.schedule;
  return finding;
}

}  // namespace

std::vector<Finding> report_difference(const Difference& difference) {
  switch (difference.kind) {
    case Difference::Kind::output:
      return {deviation(difference, "outcome.output", "writes something else", "the output before this place differs")};
    case Difference::Kind::sends:
      return {deviation(difference, "outcome.sends", "sends something else", "this send differs")};
    case Difference::Kind::results:
      return {deviation(difference, "outcome.results", "has other results", "this result, or one before it, differs")};
    case Difference::Kind::match: return {race(difference)};
  }
  return {};
}

}  // namespace rehearse::properties
