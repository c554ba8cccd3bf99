// SPDX-License-Identifier: MIT
//
// From published predicates to what is told.
#include "mc/predicates/predicate_judge.hpp"

#include <algorithm>

#include "mc/counterexample/ending.hpp"

namespace rehearse::mc {

namespace {

Cause limit(const char* reason) {
  Cause cause;
  const std::string_view text = reason;
  cause.shape = hash_bytes(text.data(), text.size());
  cause.reasons.emplace_back(reason);
  return cause;
}

bool is_not_meant(const Node& node) {
  const auto* fail = std::get_if<Fail>(&node.operation);
  return fail != nullptr && fail->kind == FailureKind::not_meant;
}

}  // namespace

bool PredicateJudge::is_asked(const Graph& graph) const {
  if (!options_.tell_state) return false;
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a)
    if (graph.actor(a).node->last_published != nullptr) return true;
  return false;
}

const Predicate& PredicateJudge::read(const std::string& text) {
  const auto known = predicates_.find(text);
  if (known != predicates_.end()) return known->second;
  auto predicate = Predicate::parse(text);
  REHEARSE_ASSERT(bool(predicate), "a predicate that was published although it cannot be read");
  return predicates_.emplace(text, std::move(predicate.value())).first->second;
}

Location PredicateJudge::where_published(std::uint32_t actor, const Published& published) {
  const Frame frame = program_.locate({actor}, {"", published.address});
  return {{actor}, "", frame.file, frame.line, frame.function, ""};
}

std::vector<Cause> PredicateJudge::judge(const Graph& graph, const PolicyOutcome& outcome,
                                         const std::function<bool(const Hash128&)>& is_known) {
  std::vector<Cause> causes;
  bool has_ended = outcome.complete;
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a) {
    const Node& node = standing(graph, outcome, a);
    if (is_not_meant(node)) return causes;
    has_ended = has_ended && std::holds_alternative<End>(node.operation);
  }
  const std::vector<std::vector<Telling>> tellings = tellings_of(graph, outcome.happened);
  std::vector<Declared> declared;
  for (std::uint32_t a = 0; a < tellings.size(); ++a)
    for (const Telling& told : tellings[a]) {
      const Declared one{a, told.published};
      const bool is_predicate =
          one.published->kind == Published::Kind::never || one.published->kind == Published::Kind::always;
      if (is_predicate && std::ranges::find(declared, one.key(), &Declared::key) == declared.end())
        declared.push_back(one);
    }
  if (declared.empty()) return causes;
  const Policy& policy = options_.policies.front();
  if (policy.eager_bytes != 0 && policy.eager_bytes != Policy::infinite) {
    causes.push_back(limit("predicates over published values are judged where sends are buffered all or none, not with "
                           "--buffering eager:BYTES"));
    return causes;
  }
  const WaitingClocks clocks(graph, policy, outcome);
  const std::string schedule = to_text(make_schedule(graph, outcome));
  for (const Declared& one : declared) {
    const std::string& text = one.published->name;
    const std::uint64_t words[] = {0x9ced1ca7e, static_cast<std::uint64_t>(one.published->kind),
                                   hash_bytes(text.data(), text.size()).low};
    Cause cause;
    cause.shape = hash_bytes(words, sizeof words);
    if (is_known(cause.shape)) continue;
    StateSearch search(read(text), tellings, clocks);
    judge_one(one, search, has_ended, schedule, cause);
    if (search.was_cut_short() && cause.findings.empty())
      causes.push_back(limit("more than a million combinations of published values in one execution: not all were "
                             "looked at"));
    if (!cause.findings.empty()) causes.push_back(std::move(cause));
  }
  return causes;
}

void PredicateJudge::judge_one(const Declared& declared, StateSearch& search, bool has_ended,
                               const std::string& schedule, Cause& cause) {
  const bool is_never = declared.published->kind == Published::Kind::never;
  GlobalState state;
  state.is_never = is_never;
  state.predicate = declared.published->name;
  state.declared_by = {declared.actor};
  state.declared_at = where_published(declared.actor, *declared.published);
  state.schedule = schedule;
  if (!search.missing().empty()) {
    if (!has_ended) return;
    state.missing = search.missing();
  } else {
    for (const StateSearch::Held& held : search.find(is_never))
      state.values.push_back({{held.actor}, held.published->name, held.published->value,
                              where_published(held.actor, *held.published)});
    if (state.values.empty()) return;
  }
  cause.findings = options_.tell_state(state);
}

}  // namespace rehearse::mc
