// SPDX-License-Identifier: MIT
//
// Makes findings of the published predicates.
#include "mc/predicates/predicate_judge.hpp"

#include <algorithm>

#include "mc/counterexample/ending.hpp"
#include "simcore/birth.hpp"

namespace rehearse::mc::predicates {

using verdict::Cause;

namespace {

Cause limit(const char* reason) {
  Cause cause;
  const std::string_view text = reason;
  cause.shape = history::hash_bytes(text.data(), text.size());
  cause.reasons.emplace_back(reason);
  return cause;
}

bool is_not_meant(const history::Node& node) {
  const auto* fail = std::get_if<Fail>(&node.operation);
  return fail != nullptr && fail->kind == FailureKind::not_meant;
}

}  // namespace

bool PredicateJudge::is_asked(const graph::Graph& graph) const {
  if (!options_.hooks.report_state) return false;
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a)
    if (graph.actor(a).node->last_published != nullptr) return true;
  return false;
}

const Predicate& PredicateJudge::read(const std::string& text) {
  const auto known = predicates_.find(text);
  if (known != predicates_.end()) return known->second;
  auto predicate = Predicate::parse(text);
  REHEARSE_ASSERT(bool(predicate), "a published predicate is well-formed");
  return predicates_.emplace(text, std::move(predicate.value())).first->second;
}

std::vector<Cause> PredicateJudge::judge(const graph::Graph& graph, const buffering::PolicyOutcome& outcome,
                                         const std::function<bool(const history::Hash128&)>& is_known) {
  std::vector<Cause> causes;
  bool has_ended = outcome.complete;
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a) {
    const history::Node& node = counterexample::standing(graph, outcome, a);
    if (is_not_meant(node)) return causes;
    has_ended = has_ended && (std::holds_alternative<End>(node.operation) || awaits_birth(node.operation));
  }
  const std::vector<std::vector<Publication>> publications = publications_of(graph, outcome.happened);
  const std::vector<Declared> declared = declared_in(publications);
  if (declared.empty()) return causes;
  const Policy& policy = options_.semantics.policies.front();
  if (policy.eager_bytes != 0 && policy.eager_bytes != Policy::infinite) {
    causes.push_back(
        limit("predicates over published values need --buffering all, infinite or zero, and are not judged with "
              "--buffering eager:BYTES and mixed"));
    return causes;
  }
  const WaitingClocks clocks(graph, policy, outcome);
  const Schedule schedule = counterexample::make_schedule(graph, outcome);
  for (const Declared& one : declared) {
    const std::string& text = one.published->name;
    const std::uint64_t words[] = {0x9ced1ca7e, static_cast<std::uint64_t>(one.published->kind),
                                   history::hash_bytes(text.data(), text.size()).low};
    Cause cause;
    cause.shape = history::hash_bytes(words, sizeof words);
    if (is_known(cause.shape)) continue;
    StateSearch search(read(text), publications, clocks);
    if (auto state = state_against(one, search, has_ended, program_)) {
      state->schedule = schedule;
      cause.findings = options_.hooks.report_state(*state);
    }
    if (search.was_cut_short() && cause.findings.empty())
      causes.push_back(limit("more than a million combinations of published values in one execution: not all were "
                             "looked at"));
    if (!cause.findings.empty()) causes.push_back(std::move(cause));
  }
  return causes;
}

}  // namespace rehearse::mc::predicates
