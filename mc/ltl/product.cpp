// SPDX-License-Identifier: MIT
//
// See product.hpp. Tarjan's algorithm without recursion.
#include "mc/ltl/product.hpp"

#include <algorithm>

namespace rehearse::mc::ltl {

Product::Product(const StateGraph& graph, const Buchi& automaton, bool endless)
    : graph_(graph), automaton_(automaton), endless_(endless) {
  for (std::uint32_t i = 0; i < automaton.states.size(); ++i)
    if (automaton.states[i].is_initial && !graph.states.empty() && automaton.states[i].fits(graph.states[0].letter))
      node_of(0, i, ~0u, 0);
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) expand(i);
  find_components();
}

std::uint32_t Product::node_of(std::uint32_t state, std::uint32_t automaton, std::uint32_t before, std::uint32_t edge) {
  const std::uint64_t key = std::uint64_t{state} << 32 | automaton;
  const auto [found, is_new] = index_.try_emplace(key, static_cast<std::uint32_t>(nodes_.size()));
  if (is_new) nodes_.push_back({state, automaton, before, edge, ~0u, {}});
  return found->second;
}

void Product::expand(std::uint32_t node) {
  const std::uint32_t state = nodes_[node].state;
  const StateGraph::State& from = graph_.states[state];
  if (!from.is_expanded) return;
  const auto go = [&](std::uint32_t target, std::uint32_t edge) {
    for (const std::uint32_t next : automaton_.states[nodes_[node].automaton].next) {
      if (!automaton_.states[next].fits(graph_.states[target].letter)) continue;
      const std::uint32_t to = node_of(target, next, node, edge);
      const bool is_left_out = endless_ && edge != Lasso::stutter && from.edges[edge].is_left_out;
      nodes_[node].edges.push_back({to, edge, !is_left_out});
    }
  };
  for (std::uint32_t i = 0; i < from.edges.size(); ++i) go(from.edges[i].target, i);
  if (from.edges.empty() && !endless_) go(state, Lasso::stutter);
}

void Product::find_components() {
  constexpr std::uint32_t none = ~0u;
  struct Visit {
    std::uint32_t node;
    std::size_t next_edge;
  };
  std::vector<std::uint32_t> number(nodes_.size(), none), low(nodes_.size(), 0), stack;
  std::vector<Visit> visits;
  std::uint32_t count = 0;
  const auto begin = [&](std::uint32_t node) {
    number[node] = low[node] = count++;
    stack.push_back(node);
    visits.push_back({node, 0});
  };
  for (std::uint32_t root = 0; root < nodes_.size(); ++root) {
    if (number[root] != none) continue;
    begin(root);
    while (!visits.empty()) {
      Visit& visit = visits.back();
      const std::uint32_t node = visit.node;
      if (visit.next_edge < nodes_[node].edges.size()) {
        const Edge& edge = nodes_[node].edges[visit.next_edge++];
        const std::uint32_t target = edge.target;
        if (!edge.is_of_loops) continue;
        if (number[target] == none) begin(target);
        else if (nodes_[target].component == none) low[node] = std::min(low[node], number[target]);
        continue;
      }
      visits.pop_back();
      if (!visits.empty()) low[visits.back().node] = std::min(low[visits.back().node], low[node]);
      if (low[node] != number[node]) continue;
      for (std::uint32_t member = none; member != node;) {
        member = stack.back();
        stack.pop_back();
        nodes_[member].component = components_;
      }
      ++components_;
    }
  }
}

}  // namespace rehearse::mc::ltl
