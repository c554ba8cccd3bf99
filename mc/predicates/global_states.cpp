// SPDX-License-Identifier: MIT
//
// Searches the combinations of states recursively, actor by actor.
#include "mc/predicates/global_states.hpp"

#include <algorithm>
#include <limits>

#include "simcore/support/format.hpp"

namespace rehearse::mc::predicates {

namespace {

using Term = Predicate::Term;

bool publishes(const std::vector<Publication>& publications, const std::string& name) {
  return std::ranges::any_of(publications, [&](const Publication& reported) {
    return reported.published->kind == Published::Kind::value && reported.published->name == name;
  });
}

}  // namespace

StateSearch::StateSearch(const Predicate& predicate, const std::vector<std::vector<Publication>>& publications,
                         const Clocks& clocks, std::uint64_t combinations)
    : predicate_(predicate), clocks_(clocks), left_(combinations) {
  std::vector<std::set<std::string>> names(publications.size());
  for (const Term& term : predicate.terms()) {
    bool is_there = false;
    for (std::uint32_t a = 0; a < publications.size(); ++a) {
      if (term.kind == Term::Kind::of_one && term.actor.value != a) continue;
      if (!publishes(publications[a], term.name)) continue;
      names[a].insert(term.name);
      is_there = true;
    }
    if (!is_there && missing_.empty())
      missing_ = term.kind == Term::Kind::of_one ? fmt::format("{}@{}", term.name, term.actor.value) : term.name;
  }
  if (!missing_.empty()) return;
  for (std::uint32_t a = 0; a < publications.size(); ++a)
    if (!names[a].empty()) add_chain(a, names[a], publications[a]);
}

void StateSearch::add_chain(std::uint32_t actor, const std::set<std::string>& names,
                            const std::vector<Publication>& publications) {
  Chain& chain = chains_.emplace_back();
  chain.actor = actor;
  State state;
  for (const Publication& reported : publications) {
    if (reported.published->kind != Published::Kind::value || !names.contains(reported.published->name)) continue;
    if (!chain.states.empty()) chain.states.back().ends = reported.events;
    state.begins = reported.events;
    state.ends = std::numeric_limits<graph::EventIndex>::max();
    state.values[reported.published->name] = reported.published;
    if (state.values.size() == names.size()) chain.states.push_back(state);
  }
}

bool StateSearch::can_be_together(const Chain& one, const State& its, const Chain& other, const State& others) const {
  return clocks_.needs(one.actor, its.begins, other.actor) <= others.ends &&
         clocks_.needs(other.actor, others.begins, one.actor) <= its.ends;
}

bool StateSearch::holds() const {
  std::vector<std::vector<std::int64_t>> values;
  for (const Term& term : predicate_.terms()) {
    std::vector<std::int64_t>& of_term = values.emplace_back();
    for (std::size_t i = 0; i < chains_.size(); ++i) {
      if (term.kind == Term::Kind::of_one && chains_[i].actor != term.actor.value) continue;
      const auto found = chosen_[i]->values.find(term.name);
      if (found != chosen_[i]->values.end()) of_term.push_back(found->second->value);
    }
  }
  return predicate_.holds(values);
}

std::vector<StateSearch::Held> StateSearch::held() const {
  std::vector<Held> held;
  for (std::size_t i = 0; i < chains_.size(); ++i)
    for (const auto& [name, published] : chosen_[i]->values) held.push_back({chains_[i].actor, published});
  return held;
}

bool StateSearch::search(std::size_t next, bool value, const IsWanted& is_wanted) {
  if (next == chains_.size()) return holds() == value && (!is_wanted || is_wanted(held()));
  for (const State& state : chains_[next].states) {
    if (left_ == 0) return false;
    --left_;
    bool is_possible = true;
    for (std::size_t i = 0; i < next && is_possible; ++i)
      is_possible = can_be_together(chains_[i], *chosen_[i], chains_[next], state);
    if (!is_possible) continue;
    chosen_.push_back(&state);
    if (search(next + 1, value, is_wanted)) return true;
    chosen_.pop_back();
  }
  return false;
}

std::vector<StateSearch::Held> StateSearch::find(bool value, const IsWanted& is_wanted) {
  chosen_.clear();
  if (!missing_.empty() || !search(0, value, is_wanted)) return {};
  return held();
}

}  // namespace rehearse::mc::predicates
