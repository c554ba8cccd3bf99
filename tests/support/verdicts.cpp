// SPDX-License-Identifier: MIT
//
// Verdicts as text.
#include "tests/support/verdicts.hpp"

#include "properties/judge.hpp"

namespace rehearse::tests {

std::string text_of(const mc::Verdict& verdict) {
  std::string text;
  for (const std::uint64_t number :
       {verdict.executions, verdict.blocked, verdict.fingerprint, verdict.duplicates, verdict.operations})
    text += std::to_string(number) + " ";
  text += verdict.exhaustive ? "all\n" : "some\n";
  for (const std::string& reason : verdict.reasons) text += "reason " + reason + "\n";
  for (const std::string& assumption : verdict.assumptions) text += "assumption " + assumption + "\n";
  for (const mc::Branching& branching : verdict.branchings)
    text += "branching " + std::to_string(branching.site) + " " + std::to_string(branching.executions) + "\n";
  for (const Finding& finding : verdict.findings) {
    text += finding.id.text() + " " + std::to_string(static_cast<int>(finding.severity)) + " " + finding.message +
            " by";
    for (const ActorId actor : finding.actors) text += " " + std::to_string(actor.value);
    for (const Location& at : finding.locations) text += " at " + at.call + at.file + std::to_string(at.line) + at.what;
    text += " under";
    for (const Policy& policy : finding.policies) text += " " + to_text(policy);
    text += " schedule " + to_text(finding.witness) + "\n";
  }
  return text;
}

std::vector<Finding> judge_ends(const Outcome& outcome, const Describe& describe) {
  std::vector<Finding> findings;
  for (std::uint32_t a = 0; a < outcome.actors.size(); ++a) {
    if (outcome.actors[a].state != ActorOutcome::State::blocked) continue;
    Finding finding;
    finding.id = "deadlock";
    finding.message = "actor " + std::to_string(a) + " waits forever at " + describe({a}).call;
    finding.actors = {{a}};
    findings.push_back(finding);
  }
  for (const PendingRequest& pending : outcome.pending) {
    if (pending.kind != PendingRequest::Kind::send || !pending.completed) continue;
    Finding finding;
    finding.id = "message.lost";
    finding.severity = Severity::warning;
    finding.message = "message " + std::to_string(pending.request.value) + " is lost";
    finding.actors = {pending.actor};
    finding.locations = {{pending.actor, "send", "litmus", 1, "main", "sends"}};
    findings.push_back(finding);
  }
  return findings;
}

mc::ExploreOptions divided(std::uint32_t jobs) {
  mc::ExploreOptions options;
  options.semantics.policies = {Policy{}, Policy{0, false}};
  options.strategy.jobs = jobs;
  options.strategy.alone_seconds = options.strategy.undivided_seconds = 0;
  return options;
}

mc::ExploreOptions all_by(std::uint32_t jobs) {
  mc::ExploreOptions options = divided(jobs);
  options.bounds.all_findings = true;
  return options;
}

mc::Verdict explored(Program& program, mc::Reduction reduction) {
  mc::ExploreOptions options;
  options.strategy.reduction = reduction;
  options.bounds.all_findings = true;
  return mc::explore(program, options, [](const Outcome& outcome, const Describe& describe) {
    return properties::judge_failures(outcome, describe);
  });
}

}  // namespace rehearse::tests
