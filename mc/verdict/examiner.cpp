// SPDX-License-Identifier: MIT
//
// Makes the record of an execution from its graph.
#include "mc/verdict/examiner.hpp"

#include <algorithm>
#include <functional>

#include "mc/counterexample/ending.hpp"
#include "simcore/birth.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::mc::verdict {

using buffering::PolicyOutcome;
using history::Hash128;

namespace {

// The hash of all observations. A starved actor has not made its last observation.
Hash128 whole_class(const Graph& graph) {
  boost::container::small_vector<Hash128, 16> histories;
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a) {
    const std::vector<graph::Event>& events = graph.actor(a).events;
    const std::size_t happened = events.size() - (!events.empty() && events.back().option.starved);
    histories.push_back(happened == 0 ? Hash128{} : events[happened - 1].history);
  }
  return history::hash_bytes(histories.data(), histories.size() * sizeof histories[0]);
}

// The hash of all matches of the execution, observed or not.
Hash128 full_class(const Graph& graph, const Hash128& observed) {
  const Hash128& rest = graph.tally().unobserved;
  if (rest == Hash128{}) return observed;
  const Hash128 both[] = {observed, rest};
  return history::hash_bytes(both, sizeof both);
}

bool is_whole(const Graph& graph, const PolicyOutcome& outcome) {
  if (!outcome.complete || outcome.matches.size() != graph.tally().matched) return false;
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a)
    if (outcome.happened[a] != graph.actor(a).events.size()) return false;
  return true;
}

// The first actor that failed in this way, or null.
const ActorOutcome* find_failed(const Outcome& outcome, FailureKind kind) {
  for (const ActorOutcome& actor : outcome.actors)
    if (actor.state == ActorOutcome::State::failed && actor.failure == kind) return &actor;
  return nullptr;
}

// The failure of the first actor that fails in the outcome, or null.
const Fail* find_failure(const Graph& graph, const PolicyOutcome& outcome) {
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a)
    if (const auto* fail = std::get_if<Fail>(&counterexample::standing(graph, outcome, a).operation)) return fail;
  return nullptr;
}

Cause too_many_choices() {
  Cause cause;
  cause.reasons.push_back(fmt::format("more than {} choices of sends that wait in one execution (--buffering mixed)",
                                      buffering::PolicyReplay::most_choices));
  cause.shape = history::hash_bytes(cause.reasons[0].data(), cause.reasons[0].size());
  return cause;
}

}  // namespace

PolicyOutcome as_it_is(const Graph& graph) {
  PolicyOutcome outcome;
  outcome.complete = true;
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a) {
    const Graph::Actor& actor = graph.actor(a);
    outcome.happened.push_back(static_cast<graph::EventIndex>(actor.events.size()));
    const Operation& last = actor.node->operation;
    outcome.complete = outcome.complete &&
                       (std::holds_alternative<End>(last) || std::holds_alternative<Fail>(last) || awaits_birth(last));
    for (const graph::EventIndex started : actor.requests)
      if (actor.events[started].kind == graph::EventKind::post &&
          actor.events[started].partner.event != graph::no_event)
        outcome.matches.emplace_back(graph::EventRef{a, started}, actor.events[started].partner);
  }
  return outcome;
}

bool Examiner::examine(const Graph& graph, bool is_reached_once, Execution& execution) {
  observed_ = whole_class(graph);
  if (is_reached_once) execution.decided = full_class(graph, observed_);
  for (std::size_t p = 0; p < options_.semantics.policies.size(); ++p)
    if (!examine_under(graph, p, execution)) return false;
  compare_with_first(graph, execution);
  if (predicates_.is_asked(graph)) judge_predicates(graph, execution);
  return true;
}

// Adds the cause of an end under the first policy, if its shape is new.
void Examiner::add_cause(Cause&& cause, Execution& execution) {
  std::uint32_t& policies = recorded_ends_[cause.shape];
  if (policies != 0) return;
  policies = 1;
  execution.recorded_ends.push_back({cause.shape, 0});
  execution.causes.push_back(std::move(cause));
}

void Examiner::judge_predicates(const Graph& graph, Execution& execution) {
  const auto is_known = [this](const Hash128& shape) { return recorded_ends_.contains(shape); };
  if (outcomes_[0].empty()) outcomes_[0].push_back(as_it_is(graph));
  for (const PolicyOutcome& outcome : outcomes_[0])
    for (Cause& cause : predicates_.judge(graph, outcome, is_known)) add_cause(std::move(cause), execution);
}

bool Examiner::is_of_first_policy(const Execution& execution) const {
  return std::ranges::any_of(execution.endings, [this](const Execution::Ending& ending) {
    return ending.complete && ending.observed == observed_;
  });
}

bool Examiner::ends_well(const Graph& graph, const Execution& execution) const {
  return counterexample::ends_well(graph) && is_of_first_policy(execution);
}

void Examiner::find_races(reduction::ReceivesFromExplorer& explorer, Execution& execution) {
  if (!options_.semantics.find_races) return;
  const auto counts = [&] { return ends_well(explorer.graph(), execution); };
  explorer.find_races(races_, std::ref(counts), execution.races);
  for (const reduction::Race& race : execution.races) races_.insert(race.place);
}

void Examiner::compare_with_first(const Graph& graph, Execution& execution) {
  if (!is_of_first_policy(execution)) return;
  for (Cause& cause : determinism_.compare(graph)) add_cause(std::move(cause), execution);
}

// Adds an ending under the first policy, with its cost.
void Examiner::add_ending(const Graph& graph, const PolicyOutcome& outcome, const Hash128& observed,
                          Execution& execution) {
  Execution::Ending& ending = execution.endings.emplace_back(observed, outcome.complete);
  if (!options_.hooks.price) return;
  const Fail* failure = find_failure(graph, outcome);
  if (failure != nullptr ? !is_fault(failure->kind) : !outcome.complete) return;
  const Schedule schedule = counterexample::make_schedule(graph, outcome);
  Price price = options_.hooks.price(schedule);
  if (!price.cost && price.without == Price::Without::unknown) return;
  ending.tag = std::make_unique<Tag>(Tag{price.cost, {}, price.without == Price::Without::failed});
  if (price.cost && range_.widen(*price.cost)) ending.tag->schedule = schedule;
  if (!price.finding) return;
  Cause cause;
  cause.shape = history::hash_bytes(price.finding->id.text().data(), price.finding->id.text().size());
  price.finding->witness = {schedule, {}};
  cause.findings.push_back(std::move(*price.finding));
  add_cause(std::move(cause), execution);
}

bool Examiner::examine_under(const Graph& graph, std::size_t p, Execution& execution) {
  const std::vector<Policy>& policies = options_.semantics.policies;
  const Policy& policy = policies[p];
  std::vector<PolicyOutcome>& outcomes = outcomes_[p];
  outcomes.clear();
  const auto twin =
      std::find(policies.begin(), policies.begin() + static_cast<std::ptrdiff_t>(p), Policy{policy.eager_bytes, false});
  const auto q = static_cast<std::size_t>(twin - policies.begin());
  if (q < p && !buffering::has_partial_collectives(graph)) {
    outcomes = outcomes_[q];
  } else if (buffering::restricts(graph, policy)) {
    if (!replay_.run(graph, policy, [&](const PolicyOutcome& outcome) { outcomes.push_back(outcome); })) return false;
    if (replay_.is_cut_off()) add_cause(too_many_choices(), execution);
  } else if (counterexample::is_spotless(graph)) {  // the policy changes nothing, and there is nothing to judge
    if (p == 0 && options_.hooks.price) add_ending(graph, as_it_is(graph), observed_, execution);
    else if (p == 0) execution.endings.emplace_back(observed_, true);
    return true;
  } else {
    outcomes.push_back(as_it_is(graph));
  }
  for (const PolicyOutcome& outcome : outcomes) examine(graph, p, outcome, execution);
  return true;
}

void Examiner::examine(const Graph& graph, std::size_t p, const PolicyOutcome& outcome, Execution& execution) {
  if (p == 0) add_ending(graph, outcome, buffering::class_of(graph, outcome), execution);
  if (is_whole(graph, outcome) && counterexample::is_spotless(graph)) return;
  const Hash128 shape = counterexample::shape_of(graph, outcome);
  std::uint32_t& policies = recorded_ends_[shape];
  const std::uint32_t bit = std::uint32_t{1} << p;
  if ((policies & bit) != 0) return;
  execution.recorded_ends.push_back({shape, static_cast<std::uint32_t>(p)});
  if (policies == 0) {
    execution.causes.push_back(judge(graph, p, outcome));
    execution.causes.back().shape = shape;
  }
  policies |= bit;
}

Cause Examiner::judge(const Graph& graph, std::size_t p, const PolicyOutcome& outcome) {
  Cause cause;
  cause.judged = static_cast<std::uint32_t>(p);
  Outcome seen = counterexample::make_outcome(graph, outcome, options_.semantics.policies[p]);
  add_places(seen, program_);
  const ActorOutcome* unmeant = find_failed(seen, FailureKind::not_meant);
  if (unmeant != nullptr && unmeant->id.empty()) {  // with an id: a matter for the judge
    cause.is_not_meant = true;
    return cause;
  }
  // What others did until then is judged as ever: nothing can be said about who waits for whom.
  for (const ActorOutcome& actor : seen.actors) {
    if (actor.state != ActorOutcome::State::failed || actor.failure != FailureKind::unsupported) continue;
    std::string reason = actor.what + " is not supported yet";
    if (std::ranges::find(cause.reasons, reason) == cause.reasons.end()) cause.reasons.push_back(std::move(reason));
  }
  const auto is_limit = [&cause](const Finding& finding) {
    if (finding.id != outcomes_left_out) return false;
    cause.reasons.push_back(finding.message + ": not all of its outcomes are explored yet");
    return true;
  };
  std::erase_if(seen.reports, [&](const auto& report) { return is_limit(report.second); });
  const Describe describe = [&](ActorId actor) {
    const history::Node& node = counterexample::standing(graph, outcome, actor.value);
    try {
      history_.visit(&node);
    } catch (const history::Diverged& diverged) {  // the finding holds, but has no place
      cause.reasons.push_back(to_text(diverged));
      return CallDescription{history::in_words(node.operation, program_.actor_noun()), {}};
    }
    return program_.describe(actor);
  };
  cause.findings = judge_(seen, describe);
  std::erase_if(cause.findings, is_limit);
  const Witness witness{counterexample::make_schedule(graph, outcome), {}};
  for (Finding& finding : cause.findings) finding.witness = witness;
  return cause;
}

}  // namespace rehearse::mc::verdict
