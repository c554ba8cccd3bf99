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

Finding disagreement(const PendingRequest& pending, const std::string& other_name,
                     const Describe& describe) {
  Finding finding;
  finding.id = "collective." + pending.mismatch;
  finding.actors = {pending.mismatch_with, pending.actor};
  std::sort(finding.actors.begin(), finding.actors.end());
  finding.locations = {place(pending.mismatch_with, describe, "takes part in " + other_name),
                       place(pending.actor, describe, "takes part in " + pending.name)};
  finding.message = ranks(finding.actors) + " " + difference(pending) +
                    " as the same collective of a communicator: " + rank(pending.mismatch_with) +
                    " is in " + call_and_line(finding.locations[0]) + ", " + rank(pending.actor) +
                    " in " + call_and_line(finding.locations[1]);
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
    const auto other = std::find_if(
        outcome.pending.begin(), outcome.pending.end(), [&](const PendingRequest& candidate) {
          return candidate.kind == PendingRequest::Kind::collective &&
                 candidate.actor == pending.mismatch_with &&
                 candidate.context == pending.context;
        });
    findings.push_back(disagreement(
        pending, other == outcome.pending.end() ? "a collective" : other->name, describe));
  }
  return findings;
}

}  // namespace rehearse::properties
