// SPDX-License-Identifier: MIT
//
// Members of one collective that do not call the same: collective.operation, collective.root and
// collective.signature (types, counts or operator).
#include <algorithm>

#include "properties/judge.hpp"
#include "properties/words.hpp"

namespace rehearse::properties {

namespace {

std::string difference(const PendingRequest& pending) {
  if (pending.mismatch == "operation") return "call different collectives";
  if (pending.mismatch == "root") return "name different roots";
  if (pending.mismatch == "signature") return "give different types, counts or operators";
  return "disagree (" + pending.mismatch + ")";
}

// The other member may have gone on since, where its part of the collective did not make it wait.
Finding disagreement(const Outcome& outcome, const PendingRequest& pending, const Describe& describe) {
  Finding finding;
  finding.id = "collective." + pending.mismatch;
  finding.actors = {pending.mismatch_with, pending.actor};
  std::sort(finding.actors.begin(), finding.actors.end());
  const bool is_there = std::any_of(
      outcome.pending.begin(), outcome.pending.end(), [&](const PendingRequest& candidate) {
        return candidate.kind == PendingRequest::Kind::collective && candidate.actor == pending.mismatch_with &&
               candidate.context == pending.context;
      });
  const Location mine = place(pending.actor, describe, "takes part in " + pending.name);
  std::string other = rank(pending.mismatch_with) + " called " + pending.mismatch_name;
  if (is_there) {
    finding.locations.push_back(place(pending.mismatch_with, describe, "takes part in " + pending.mismatch_name));
    other = rank(pending.mismatch_with) + " is in " + call_and_line(finding.locations.front());
  }
  finding.locations.push_back(mine);
  finding.message = ranks(finding.actors) + " " + difference(pending) +
                    " as the same collective of a communicator: " + other + ", " + rank(pending.actor) + " is in " +
                    call_and_line(mine);
  return finding;
}

}  // namespace

std::vector<Finding> judge_disagreements(const Outcome& outcome, const Describe& describe) {
  std::vector<Finding> findings;
  for (const PendingRequest& pending : outcome.pending) {
    if (pending.kind != PendingRequest::Kind::collective || pending.mismatch.empty()) continue;
    // Who differs from two others in the same way is told once.
    const bool is_known = std::any_of(findings.begin(), findings.end(), [&](const Finding& other) {
      return other.id == "collective." + pending.mismatch &&
             (other.actors.front() == pending.actor || other.actors.back() == pending.actor);
    });
    if (is_known) continue;
    findings.push_back(disagreement(outcome, pending, describe));
  }
  return findings;
}

}  // namespace rehearse::properties
