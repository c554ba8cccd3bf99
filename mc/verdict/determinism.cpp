// SPDX-License-Identifier: MIT
//
// Compares the effects recorded in nodes.
#include "mc/verdict/determinism.hpp"

#include <algorithm>

#include "mc/counterexample/ending.hpp"
#include "mc/effects_watch.hpp"
#include "mc/verdict/examiner.hpp"
#include "simcore/birth.hpp"

namespace rehearse::mc::verdict {

using graph::Graph;
using history::Node;
using history::ObservableEffects;

namespace {

// Whether every actor has ended.
bool has_ended(const Graph& graph) {
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a) {
    const Operation& last = graph.actor(a).node->operation;
    if (!std::holds_alternative<End>(last) && !awaits_birth(last)) return false;
  }
  return true;
}

}  // namespace

Determinism::Determinism(Program& program, history::History& history, const ExploreOptions& options)
    : program_(program), history_(history), report_(options.hooks.report_difference) {
  if (options.semantics.same_output) compared_.push_back({Difference::Kind::output, &ObservableEffects::output});
  if (options.semantics.same_sends) compared_.push_back({Difference::Kind::sends, &ObservableEffects::sends});
  if (options.semantics.same_results) compared_.push_back({Difference::Kind::results, &ObservableEffects::results});
}

std::vector<const Node*> Determinism::nodes_of(const Graph& graph, std::uint32_t actor) {
  std::vector<const Node*> nodes;
  for (const Node* node = graph.actor(actor).node; node != nullptr; node = node->parent) nodes.push_back(node);
  std::ranges::reverse(nodes);
  return nodes;
}

std::vector<Cause> Determinism::compare(const Graph& graph) {
  std::vector<Cause> causes;
  if (!is_asked_for() || !has_ended(graph)) return causes;
  if (!first_) {
    first_.emplace(graph.actor_count());
    for (std::uint32_t a = 0; a < graph.actor_count(); ++a)
      for (const Node* node : nodes_of(graph, a)) (*first_)[a].push_back(node->effects);
    first_schedule_ = counterexample::make_schedule(graph, as_it_is(graph));
    return causes;
  }
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a)
    for (const Compared& what : compared_)
      if (graph.actor(a).node->effects.*what.effects != (*first_)[a].back().*what.effects)
        causes.push_back(cause_of(graph, a, what));
  return causes;
}

Location Determinism::where_reported(const Node& node) {
  const Frame place = program_.locate(node.actor, {"", node.effects.reported_at});
  return {node.actor, "", place.file, place.line, place.function, ""};
}

Location Determinism::where_it_stands(const Node& node) {
  history_.visit(&node);
  const CallDescription standing = program_.describe(node.actor);
  const Frame place = standing.frames.empty() ? Frame{} : standing.frames[0];
  return {node.actor, standing.call, place.file, place.line, place.function, ""};
}

// Reports the first place of a difference: the operation before which the actor wrote something else, the send, or the
// code that published the result.
Cause Determinism::cause_of(const Graph& graph, std::uint32_t actor, const Compared& what) {
  const std::vector<const Node*> nodes = nodes_of(graph, actor);
  const std::vector<ObservableEffects>& theirs = (*first_)[actor];
  std::size_t at = 0;
  const auto is_same = [&] { return nodes[at]->effects.*what.effects == theirs[at].*what.effects; };
  while (at + 1 < nodes.size() && at < theirs.size() && is_same()) ++at;
  Difference difference;
  difference.kind = what.kind;
  difference.actor = {actor};
  difference.where = what.kind == Difference::Kind::results ? where_reported(*nodes[at]) : where_it_stands(*nodes[at]);
  difference.one.schedule = first_schedule_;
  difference.other.schedule = counterexample::make_schedule(graph, as_it_is(graph));
  Cause cause;
  const std::uint64_t words[] = {0xde7e1219, actor, static_cast<std::uint64_t>(what.kind)};
  cause.shape = history::hash_bytes(words, sizeof words);
  cause.findings = report_(difference);
  for (Finding& finding : cause.findings) finding.witness = {difference.other.schedule, difference.one.schedule};
  return cause;
}

}  // namespace rehearse::mc::verdict
