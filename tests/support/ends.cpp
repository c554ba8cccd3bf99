// SPDX-License-Identifier: MIT
//
// Ends as text.
#include "tests/support/ends.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "mc/counterexample/ending.hpp"
#include "tests/support/litmus.hpp"
#include "tests/support/random_litmus.hpp"
#include "tests/support/seeded_draws.hpp"

namespace rehearse::tests {

using namespace mc;

std::vector<Finding> tell_end(const Outcome& outcome, const Describe&) {
  std::string text;
  const auto ends_well = [](const ActorOutcome& actor) {
    return actor.state == ActorOutcome::State::ended && actor.exit_status == 0;
  };
  if (outcome.pending.empty() && std::ranges::all_of(outcome.actors, ends_well)) return {};
  for (const ActorOutcome& actor : outcome.actors) {
    switch (actor.state) {
      case ActorOutcome::State::ended: text += "ended " + std::to_string(actor.exit_status) + "; "; break;
      case ActorOutcome::State::blocked: text += "blocked; "; break;
      case ActorOutcome::State::failed: text += "failed: " + actor.what + "; "; break;
    }
  }
  std::multiset<std::string> messages;
  for (const PendingRequest& pending : outcome.pending)
    if (pending.kind == PendingRequest::Kind::send)
      messages.insert(std::to_string(pending.actor.value) + " to " + std::to_string(pending.destination.value) +
                      " with tag " + std::to_string(pending.tag) + "; ");
  for (const std::string& message : messages) text += message;
  Finding finding;
  finding.id = FindingId(text);  // findings of one kind are merged across policies
  finding.severity = Severity::error;
  finding.message = text;
  return {finding};
}

std::string text_of_end(const graph::Graph& graph, const buffering::PolicyOutcome& outcome) {
  const std::vector<Finding> told = tell_end(counterexample::make_outcome(graph, outcome, Policy{}), {});
  return told.empty() ? "good" : told.front().message;
}

std::set<std::string> texts_of(const Verdict& verdict) {
  std::set<std::string> texts;
  for (const Finding& finding : verdict.findings) texts.insert(finding.message);
  return texts;
}

Ends ends_of(const std::string& litmus, Reduction reduction, const Policy& policy, std::uint64_t max_executions) {
  const std::unique_ptr<Program> program = make_litmus(litmus);
  ExploreOptions options;
  options.strategy.reduction = reduction;
  options.semantics.policies = {policy};
  options.bounds.all_findings = true;
  options.bounds.max_executions = max_executions;
  Ends ends;
  ends.verdict = explore(*program, options, tell_end);
  ends.is_all = ends.verdict.exhaustive;
  ends.texts = texts_of(ends.verdict);
  return ends;
}

std::string random_memory_program(std::uint64_t seed) {
  SeededDraws draw(seed + 1);
  LitmusShape shape;
  shape.actors = 2 + draw(3);
  shape.messages = 3 + draw(shape.actors == 4 ? 4 : 5);
  shape.memory = draw(8) != 0;
  for (bool* feature : {&shape.nonblocking, &shape.tags, &shape.synchronous, &shape.waitany, &shape.branches,
                        &shape.barriers, &shape.frees, &shape.collectives, &shape.some, &shape.communicators})
    *feature = draw(2) == 0;
  shape.groups = shape.collectives && draw(4) == 0;
  shape.polls = draw(16) == 0;
  shape.probes = draw(16) == 0;
  return random_litmus(seed, shape);
}

std::string random_flow_program(std::uint64_t seed) {
  SeededDraws draw(seed + 7);
  LitmusShape shape;
  shape.actors = 2 + draw(3);
  shape.messages = 3 + draw(shape.actors == 4 ? 4 : 5);
  shape.memory = draw(4) != 0;
  for (bool* feature : {&shape.nonblocking, &shape.tags, &shape.synchronous, &shape.waitany, &shape.branches,
                        &shape.barriers, &shape.communicators})
    *feature = draw(3) == 0;
  const std::string litmus = seed % 2 == 0 ? random_memory_program(seed) : random_litmus(seed, shape);
  if (seed % 8 == 0) return litmus;
  std::string text;
  for (const char c : litmus) text += c == '\n' ? std::string(" ; set 0\n") : std::string(1, c);
  return text;
}

// The payload of sender s is 2^(s-1), so that each subset has its own sum.
std::string fan_in_with_bad_sum(std::uint32_t senders, std::uint32_t subset) {
  std::string text = "0: ";
  for (std::uint32_t s = 0; s < senders; ++s) text += "recv * 0 ; sum ; failif " + std::to_string(subset) + " ; ";
  text += "set 0\n";
  for (std::uint32_t s = 1; s <= senders; ++s)
    text += std::to_string(s) + ": set " + std::to_string(1u << (s - 1)) + " ; asend 0 0 ; set 0\n";
  return text;
}

}  // namespace rehearse::tests
