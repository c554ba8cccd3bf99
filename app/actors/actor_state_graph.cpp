// SPDX-License-Identifier: MIT
//
// See actor_state_graph.hpp. A value that was not published yet is 0; so are the sum, minimum and maximum of none.
#include "app/actors/actor_state_graph.hpp"

#include <algorithm>

#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

std::string text_of_values(const std::vector<ActorValue>& values) {
  std::string text;
  for (const ActorValue& each : values) text += fmt::format("{}@{}={};", each.name, each.actor, each.value);
  return text;
}

// Ends have no image: they are equal if their values are.
std::string key_of(const ActorsState& state) {
  if (state.kind != ActorsState::Kind::goes_on) return "end " + text_of_values(state.published);
  return {reinterpret_cast<const char*>(&state.image), sizeof state.image};
}

bool is_of(const Predicate::Term& term, const ActorValue& value) {
  return term.name == value.name && (term.kind != Predicate::Term::Kind::of_one || term.actor.value == value.actor);
}

}  // namespace

std::pair<std::uint32_t, bool> ActorStateGraph::add(ActorsState state, std::uint32_t before, std::uint64_t doer) {
  const auto number = static_cast<std::uint32_t>(nodes_.size());
  const auto [known, is_new] = by_image_.try_emplace(key_of(state), number);
  if (!is_new) return {known->second, false};
  for (const ActorValue& value : state.published) publishers_[value.name].insert(value.actor);
  const auto [values, has_new_values] =
      values_index_.try_emplace(text_of_values(state.published), static_cast<std::uint32_t>(values_.size()));
  if (has_new_values) values_.push_back(std::move(state.published));
  const std::uint32_t depth = before == none ? 0 : nodes_[before].depth + 1;
  nodes_.push_back({before, doer, depth, state.image, state.has_read_dates, values->second, std::move(state.options)});
  graph_.states.emplace_back().is_expanded = state.kind != ActorsState::Kind::goes_on;
  return {number, true};
}

void ActorStateGraph::add_edge(std::uint32_t from, std::uint32_t to, const StepOption& option) {
  const auto [doer, is_new] = doers_.try_emplace(option.doer, static_cast<std::uint32_t>(doers_.size()));
  graph_.states[from].edges.push_back({to, doer->second, option.is_early_timeout});
  ++edges_;
}

std::uint64_t ActorStateGraph::doer_of(std::uint32_t state, std::uint32_t edge) const {
  return nodes_[state].options[edge].doer;
}

std::vector<std::uint64_t> ActorStateGraph::path_to(std::uint32_t state) const {
  std::vector<std::uint64_t> path;
  for (; nodes_[state].before != none; state = nodes_[state].before) path.push_back(nodes_[state].doer);
  std::ranges::reverse(path);
  return path;
}

bool ActorStateGraph::is_published(const Predicate::Term& term) const {
  const auto found = publishers_.find(term.name);
  if (found == publishers_.end()) return false;
  return term.kind != Predicate::Term::Kind::of_one || found->second.contains(term.actor.value);
}

std::set<std::string> ActorStateGraph::missing(const mc::TemporalFormula& formula) const {
  std::set<std::string> names;
  for (const Predicate& atom : formula.atoms())
    for (const Predicate::Term& term : atom.terms())
      if (!is_published(term))
        names.insert(term.kind == Predicate::Term::Kind::of_one ? fmt::format("{}@{}", term.name, term.actor.value)
                                                                : term.name);
  return names;
}

std::set<std::string> ActorStateGraph::ambiguous(const mc::TemporalFormula& formula) const {
  std::set<std::string> names;
  for (const Predicate& atom : formula.atoms())
    for (const Predicate::Term& term : atom.terms())
      if (const auto found = publishers_.find(term.name);
          term.kind == Predicate::Term::Kind::of_only && found != publishers_.end() && found->second.size() > 1)
        names.insert(term.name);
  return names;
}

std::uint64_t ActorStateGraph::letter_of(const mc::TemporalFormula& formula,
                                         const std::vector<ActorValue>& values) const {
  std::uint64_t letter = 0;
  for (std::size_t i = 0; i < formula.atoms().size(); ++i) {
    std::vector<std::vector<std::int64_t>> by_term;
    for (const Predicate::Term& term : formula.atoms()[i].terms()) {
      std::vector<std::int64_t>& of_term = by_term.emplace_back();
      for (const ActorValue& value : values)
        if (is_of(term, value)) of_term.push_back(value.value);
      if (of_term.empty()) of_term.push_back(0);
    }
    if (formula.atoms()[i].holds(by_term)) letter |= std::uint64_t{1} << i;
  }
  return letter;
}

void ActorStateGraph::evaluate(const mc::TemporalFormula& formula) {
  std::vector<std::uint64_t> letters;
  for (const auto& values : values_) letters.push_back(letter_of(formula, values));
  for (std::size_t i = 0; i < nodes_.size(); ++i) graph_.states[i].letter = letters[nodes_[i].values];
}

}  // namespace rehearse::app
