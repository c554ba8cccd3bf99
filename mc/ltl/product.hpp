// SPDX-License-Identifier: MIT
//
// The reachable product of a graph of states and an automaton, and its strongly connected components.
//
// Memory: some 50 bytes for each state and edge of the product.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "mc/fair_lasso.hpp"
#include "mc/ltl/buchi.hpp"

namespace rehearse::mc::ltl {

class Product {
 public:
  struct Edge {
    std::uint32_t target = 0;
    std::uint32_t edge = 0;   // of the graph's state; Lasso::stutter: the end repeats
    bool is_of_loops = true;  // false: it does not connect components
  };
  struct Node {
    std::uint32_t state = 0, automaton = 0;
    std::uint32_t before = ~0u;  // on a shortest path from the beginning; none: it is initial
    std::uint32_t edge_before = 0;
    std::uint32_t component = ~0u;
    std::vector<Edge> edges;
  };

  // In order of the distance from the beginning. `endless`: ends do not repeat, and loops have no edges that are left
  // out.
  Product(const StateGraph& graph, const Buchi& automaton, bool endless);

  const std::vector<Node>& nodes() const { return nodes_; }
  std::uint32_t components() const { return components_; }

 private:
  std::uint32_t node_of(std::uint32_t state, std::uint32_t automaton, std::uint32_t before, std::uint32_t edge);
  void expand(std::uint32_t node);
  void find_components();

  const StateGraph& graph_;
  const Buchi& automaton_;
  bool endless_;
  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, std::uint32_t> index_;
  std::uint32_t components_ = 0;
};

}  // namespace rehearse::mc::ltl
