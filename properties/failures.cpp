// SPDX-License-Identifier: MIT
//
// Ranks that failed (crash.*, assertion.*, argument.*: the failure names its id) or ended with a status
// other than 0 (crash.exit_status).
#include <map>

#include "properties/judge.hpp"
#include "properties/words.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::properties {

namespace {

std::string id_of(const ActorOutcome& actor) {
  if (!actor.id.empty()) return actor.id;
  switch (actor.failure) {
    case FailureKind::assertion: return "assertion.failed";
    case FailureKind::crash: return "crash.unknown";
    case FailureKind::abort: return "crash.abort";
    case FailureKind::misuse: return "argument.misuse";
    case FailureKind::unsupported:
    case FailureKind::not_meant:
    case FailureKind::given_up: break;
  }
  return "crash.unknown";
}

Finding failure(ActorId id, const ActorOutcome& actor, const Describe& describe) {
  Finding finding;
  finding.id = id_of(actor);
  finding.actors = {id};
  finding.locations = {place(id, describe, actor.what)};
  finding.message = rank(id) + ": " + (actor.what.empty() ? "failed" : actor.what);
  const Location& location = finding.locations.front();
  if (!location.call.empty()) {
    finding.message += ", in " + call_and_line(location);
  } else if (!location.file.empty() &&
             finding.id != finding_ids::assertion_failed) {  // whose message contains the place
    finding.message += fmt::format(", at {}:{}", location.file, location.line);
  }
  return finding;
}

// The actors that ended, by exit status, ascending.
std::map<int, std::vector<ActorId>> ended_by_status(const Outcome& outcome) {
  std::map<int, std::vector<ActorId>> ended;
  for (std::uint32_t i = 0; i < outcome.actors.size(); ++i)
    if (outcome.actors[i].state == ActorOutcome::State::ended) ended[outcome.actors[i].exit_status].push_back({i});
  return ended;
}

}  // namespace

std::vector<Finding> judge_failures(const Outcome& outcome, const Describe& describe) {
  std::vector<Finding> findings;
  for (std::uint32_t i = 0; i < outcome.actors.size(); ++i) {
    const ActorOutcome& actor = outcome.actors[i];
    if (actor.state == ActorOutcome::State::failed && is_fault(actor.failure))
      findings.push_back(failure({i}, actor, describe));
  }
  for (const auto& [status, actors] : ended_by_status(outcome)) {
    if (status == 0) continue;
    Finding& finding = findings.emplace_back();
    finding.id = "crash.exit_status";
    finding.actors = actors;
    finding.message =
        fmt::format("{} ended with exit status {}, the program's own: it returned from main() or called exit(), "
                    "and did not crash",
                    many_ranks(actors), status);
    for (const ActorId actor : actors)
      finding.locations.push_back(place(actor, describe, fmt::format("ends with status {}", status)));
  }
  return findings;
}

}  // namespace rehearse::properties
