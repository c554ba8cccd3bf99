// SPDX-License-Identifier: MIT
//
// All judges in their order.
#include "properties/judge.hpp"

#include <algorithm>

#include "properties/words.hpp"

namespace rehearse::properties {

namespace {

void append(std::vector<Finding>& findings, std::vector<Finding> more) {
  std::move(more.begin(), more.end(), std::back_inserter(findings));
}

bool has_state(const Outcome& outcome, ActorOutcome::State state) {
  return std::any_of(outcome.actors.begin(), outcome.actors.end(),
                     [state](const ActorOutcome& actor) { return actor.state == state; });
}

}  // namespace

std::vector<Finding> judge(const Outcome& outcome, const Describe& describe) {
  std::vector<Finding> findings = judge_failures(outcome, describe);
  if (!has_state(outcome, ActorOutcome::State::failed)) {
    std::vector<Finding> disagreements = judge_disagreements(outcome, describe);
    const bool is_explained = !disagreements.empty();
    append(findings, std::move(disagreements));
    if (!is_explained) append(findings, judge_deadlocks(outcome, describe));
    append(findings, judge_lost_messages(outcome, describe));
  }
  append(findings, judge_reports(outcome, describe));
  return findings;
}

std::vector<Finding> judge_reports(const Outcome& outcome, const Describe&) {
  std::vector<Finding> findings;
  for (const auto& [actor, report] : outcome.reports) {
    Finding& finding = findings.emplace_back(report);
    if (finding.actors.empty()) finding.actors = {actor};
  }
  return findings;
}

}  // namespace rehearse::properties
