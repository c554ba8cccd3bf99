// SPDX-License-Identifier: MIT
//
// See fair_lasso.hpp.
#include "mc/fair_lasso.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <set>
#include <unordered_map>
#include <utility>

#include "mc/ltl/buchi.hpp"
#include "mc/ltl/product.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::mc {
namespace {

using ltl::Buchi;
using ltl::Product;

bool can_act(const StateGraph::State& state, std::uint32_t doer) {
  return std::ranges::find(state.edges, doer, &StateGraph::Edge::doer) != state.edges.end();
}

// Something that a loop must contain: a node with a property, or an edge that leaves it.
struct Goal {
  std::function<bool(const Product::Node&)> node;
  std::function<bool(const Product::Node&, const Product::Edge&)> edge;
};

class LassoSearch {
 public:
  LassoSearch(const StateGraph& graph, const Buchi& automaton, Fairness fairness, bool endless)
      : graph_(graph), automaton_(automaton), fairness_(fairness), product_(graph, automaton, endless) {}

  std::optional<Lasso> find() {
    std::vector<std::vector<std::uint32_t>> members(product_.components());
    for (std::uint32_t i = 0; i < nodes().size(); ++i) members[nodes()[i].component].push_back(i);
    std::vector<bool> was_seen(product_.components(), false);
    for (const Product::Node& node : nodes()) {  // the nearest first
      if (was_seen[node.component]) continue;
      was_seen[node.component] = true;
      if (const auto goals = goals_of(members[node.component]))
        return lasso_to(members[node.component].front(), *goals);
    }
    return std::nullopt;
  }

 private:
  const std::vector<Product::Node>& nodes() const { return product_.nodes(); }
  bool stays(const Product::Node& node, const Product::Edge& edge) const {
    return edge.is_of_loops && nodes()[edge.target].component == node.component;
  }
  std::uint32_t doer_of(const Product::Node& node, const Product::Edge& edge) const {
    return edge.edge == Lasso::stutter ? StateGraph::nobody : graph_.states[node.state].edges[edge.edge].doer;
  }

  // All conditions of a component, if each of them can be fulfilled in it and it has an edge.
  std::optional<std::vector<Goal>> goals_of(const std::vector<std::uint32_t>& members) const {
    std::vector<Goal> goals;
    for (std::size_t set = 0; set < automaton_.sets; ++set)
      goals.push_back(
          {[this, set](const Product::Node& n) { return automaton_.states[n.automaton].accepting[set]; }, {}});
    if (fairness_ == Fairness::weak)
      for (const std::uint32_t doer : doers_of_first(members))
        goals.push_back(
            {[this, doer](const Product::Node& n) { return !can_act(graph_.states[n.state], doer); },
             [this, doer](const Product::Node& n, const Product::Edge& e) { return doer_of(n, e) == doer; }});
    goals.push_back({[](const Product::Node&) { return false; },
                     [](const Product::Node&, const Product::Edge&) { return true; }});  // any edge
    for (const Goal& goal : goals)
      if (std::ranges::none_of(members, [&](std::uint32_t m) { return is_fulfilled(goal, nodes()[m]); }))
        return std::nullopt;
    return goals;
  }

  // Only a doer that can act in every node of a component matters, so also in the first one.
  std::set<std::uint32_t> doers_of_first(const std::vector<std::uint32_t>& members) const {
    std::set<std::uint32_t> doers;
    for (const StateGraph::Edge& edge : graph_.states[nodes()[members.front()].state].edges) doers.insert(edge.doer);
    return doers;
  }

  bool is_fulfilled(const Goal& goal, const Product::Node& node) const {
    return goal.node(node) || edge_of(goal, node) != nullptr;
  }

  const Product::Edge* edge_of(const Goal& goal, const Product::Node& node) const {
    if (!goal.edge) return nullptr;
    for (const Product::Edge& edge : node.edges)
      if (stays(node, edge) && goal.edge(node, edge)) return &edge;
    return nullptr;
  }

  Lasso lasso_to(std::uint32_t first, const std::vector<Goal>& goals) {
    Lasso lasso;
    for (std::uint32_t at = first; nodes()[at].before != ~0u; at = nodes()[at].before)
      lasso.stem.push_back({nodes()[nodes()[at].before].state, nodes()[at].edge_before});
    std::ranges::reverse(lasso.stem);
    std::uint32_t at = first;
    for (const Goal& goal : goals) {
      if (has_been_met(goal, lasso.loop, at)) continue;
      at = go(
          at, [&](std::uint32_t n) { return is_fulfilled(goal, nodes()[n]); }, lasso.loop);
      if (goal.node(nodes()[at])) {
        visited_.push_back(at);
        continue;
      }
      const Product::Edge* edge = edge_of(goal, nodes()[at]);
      visited_.push_back(at);
      lasso.loop.push_back({nodes()[at].state, edge->edge});
      at = edge->target;
    }
    go(
        at, [&](std::uint32_t n) { return n == first; }, lasso.loop);
    REHEARSE_ASSERT(!lasso.loop.empty(), "a loop has an edge");
    return lasso;
  }

  // Whether a node or an edge of the loop so far fulfils the goal.
  bool has_been_met(const Goal& goal, const std::vector<Lasso::Step>& loop, std::uint32_t at) const {
    if (goal.node(nodes()[at])) return true;
    for (const std::uint32_t node : visited_)
      if (goal.node(nodes()[node])) return true;
    if (!goal.edge) return false;
    for (const Lasso::Step& step : loop) {
      Product::Node node;
      node.state = step.state;
      if (goal.edge(node, {0, step.edge, true})) return true;
    }
    return false;
  }

  // A shortest path within the component; returns its end. Adds its steps.
  std::uint32_t go(std::uint32_t from, const std::function<bool(std::uint32_t)>& is_there,
                   std::vector<Lasso::Step>& steps) {
    std::deque<std::uint32_t> open{from};
    std::unordered_map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> before{{from, {from, 0}}};
    while (!open.empty()) {
      const std::uint32_t node = open.front();
      open.pop_front();
      if (is_there(node)) {
        const auto first = static_cast<std::ptrdiff_t>(steps.size());
        for (std::uint32_t at = node; at != from; at = before[at].first) {
          const auto [previous, edge] = before[at];
          steps.push_back({nodes()[previous].state, edge});
          visited_.push_back(previous);
        }
        std::reverse(steps.begin() + first, steps.end());
        return node;
      }
      for (const Product::Edge& edge : nodes()[node].edges)
        if (stays(nodes()[node], edge) && before.try_emplace(edge.target, node, edge.edge).second)
          open.push_back(edge.target);
    }
    REHEARSE_ASSERT(false, "a component is connected");
    return from;
  }

  const StateGraph& graph_;
  const Buchi& automaton_;
  Fairness fairness_;
  Product product_;
  std::vector<std::uint32_t> visited_;  // nodes of the loop so far
};

// Every word.
Buchi everything() {
  Buchi automaton;
  automaton.states.push_back({0, 0, true, {0}, {}});
  return automaton;
}

}  // namespace

Result<std::optional<Lasso>> lasso_against(const TemporalFormula& formula, const StateGraph& graph, Fairness fairness) {
  const std::optional<Buchi> automaton = ltl::automaton_of(formula, true);
  if (!automaton) return Error{"the formula is too large: its automaton has too many states"};
  return LassoSearch(graph, *automaton, fairness, false).find();
}

std::optional<Lasso> endless_lasso(const StateGraph& graph, Fairness fairness) {
  const Buchi automaton = everything();
  return LassoSearch(graph, automaton, fairness, true).find();
}

bool is_lasso_of(const StateGraph& graph, const Lasso& lasso, Fairness fairness) {
  if (lasso.loop.empty()) return false;
  std::uint32_t at = 0;
  const auto follow = [&](const std::vector<Lasso::Step>& steps) {
    for (const Lasso::Step& step : steps) {
      if (step.state != at) return false;
      const StateGraph::State& state = graph.states[at];
      if (!state.is_expanded) return false;
      if (step.edge == Lasso::stutter ? !state.edges.empty() : step.edge >= state.edges.size()) return false;
      if (step.edge != Lasso::stutter) at = state.edges[step.edge].target;
    }
    return true;
  };
  if (!follow(lasso.stem)) return false;
  const std::uint32_t first = at;
  if (!follow(lasso.loop) || at != first) return false;
  if (fairness == Fairness::none) return true;
  for (const StateGraph::Edge& edge : graph.states[first].edges) {
    const bool is_neglected = std::ranges::all_of(lasso.loop, [&](const Lasso::Step& step) {
      const StateGraph::State& state = graph.states[step.state];
      return can_act(state, edge.doer) && state.edges[step.edge].doer != edge.doer;
    });
    if (is_neglected) return false;
  }
  return true;
}

}  // namespace rehearse::mc
