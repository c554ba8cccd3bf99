// SPDX-License-Identifier: MIT
//
// See state_space.hpp.
#include "mc/cycle/state_space.hpp"

#include <algorithm>

namespace rehearse::mc::cycle {
namespace {

bool ends_badly(const history::Node& node) {
  if (std::ranges::any_of(node.reports, [](const Finding& each) { return each.severity == Severity::error; }))
    return true;
  if (const auto* end = std::get_if<End>(&node.operation)) return end->status != 0;
  return std::holds_alternative<Fail>(node.operation);
}

}  // namespace

StateSpace::StateSpace(const Rules& rules, std::uint32_t actors) : rules_(rules) {
  index_of({});
  add(rules.first(actors), 0);
}

std::uint32_t StateSpace::index_of(Values values) {
  const auto [known, is_new] = values_index_.try_emplace(values, static_cast<std::uint32_t>(values_.size()));
  if (is_new) values_.push_back(std::move(values));
  return known->second;
}

std::uint32_t StateSpace::values_after(const World& world, const Step& step, std::uint32_t before) {
  if (step.kind != Step::Kind::publish) return before;
  const Actor& actor = world.actors[step.actor];
  const Published& value = *published_before(*actor.node)[actor.published];
  Values values = values_[before];
  values[{step.actor, value.name}] = value.value;
  return index_of(std::move(values));
}

void StateSpace::note(const World& world, Node& node) {
  for (std::uint32_t a = 0; a < world.actors.size(); ++a) {
    const history::Node& at = *world.actors[a].node;
    if (at.asked_time) node.clock_readers.push_back(a);
    has_failed_ = has_failed_ || ends_badly(at);
  }
  reads_clock_ = reads_clock_ || !node.clock_readers.empty();
}

std::uint32_t StateSpace::add(World world, std::uint32_t values) {
  const auto number = size();
  const auto [known, is_new] = known_.try_emplace({world.hash(), values}, number);
  if (!is_new) return known->second;
  Node& node = nodes_.emplace_back();
  note(world, node);
  node.world = std::move(world);
  node.values = values;
  graph_.states.emplace_back();
  return number;
}

void StateSpace::expand(std::uint32_t state) {
  const World world = std::move(nodes_[state].world);
  nodes_[state].world = {};
  const std::uint32_t values = nodes_[state].values;
  std::vector<Step> steps = rules_.steps(world);
  std::vector<std::uint64_t> doers;
  for (const Step& step : steps) {
    World next = world;
    rules_.make(next, step);
    const std::uint32_t target = add(std::move(next), values_after(world, step, values));
    doers.push_back(Rules::doer_of(world, step));
    const auto doer = doers_.try_emplace(doers.back(), static_cast<std::uint32_t>(doers_.size())).first->second;
    graph_.states[state].edges.push_back({target, doer, false});
    ++edges_;
  }
  if (steps.empty()) {
    const auto is_over = [](const Actor& actor) {
      return std::holds_alternative<End>(actor.node->operation) || std::holds_alternative<Fail>(actor.node->operation);
    };
    waits_forever_ = waits_forever_ || !std::ranges::all_of(world.actors, is_over);
  }
  nodes_[state].steps = std::move(steps);
  nodes_[state].doers = std::move(doers);
  graph_.states[state].is_expanded = true;
}

std::uint32_t StateSpace::after_turn(std::uint32_t state, std::uint64_t& last) const {
  const std::vector<std::uint64_t>& doers = nodes_[state].doers;
  if (doers.empty()) return state;
  const auto distance = [&](std::uint64_t doer) { return doer - last - 1; };  // wraps around
  const auto next = std::ranges::min_element(doers, {}, distance);
  last = *next;
  return graph_.states[state].edges[static_cast<std::size_t>(next - doers.begin())].target;
}

void StateSpace::set_letters(const std::vector<std::uint64_t>& letters) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) graph_.states[i].letter = letters[nodes_[i].values];
}

}  // namespace rehearse::mc::cycle
