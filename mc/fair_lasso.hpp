// SPDX-License-Identifier: MIT
//
// Searches a graph of states for an infinite execution that is fair and contradicts a formula, or that never ends.
//
// An infinite execution of a finite graph contradicts a formula if and only if a lasso does: a path (stem) to a state,
// and a path from there back to it (loop) that repeats forever.
// Weak fairness: a doer that can act in every state of the loop acts in the loop.
// Method: strongly connected components (Tarjan 1972) of the product of graph and automaton; a component that has an
//         edge, and fulfils all conditions of acceptance and fairness, contains the loop. All conditions are
//         generalised Büchi conditions, as in Couvreur, On-the-fly verification of linear temporal logic, FM 1999.
// Partial graphs: a state that was not expanded has no edge, and is no end. A lasso that is found is one of every
// larger
//         graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "mc/temporal_formula.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::mc {

struct StateGraph {
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};

  struct Edge {
    std::uint32_t target = 0;
    std::uint32_t doer = nobody;  // number of the actor or event whose step it is
    bool is_left_out = false;     // it is no edge of a loop that never ends; see endless_lasso()
  };
  struct State {
    std::uint64_t letter = 0;  // bit i: atom i is true
    bool is_expanded = false;  // its edges are known; without any, the execution ends there and the state repeats
    std::vector<Edge> edges;
  };
  std::vector<State> states;  // 0: the initial one
};

enum class Fairness : std::uint8_t { none, weak };

struct Lasso {
  static constexpr std::uint32_t stutter = ~std::uint32_t{0};

  struct Step {
    std::uint32_t state = 0;
    std::uint32_t edge = stutter;  // index of the edge that leaves the state; stutter: the state repeats
  };
  std::vector<Step> stem;  // may be empty
  std::vector<Step> loop;  // not empty; its last edge leads to its first state
};

// An execution on which the formula does not hold. Empty: there is none. The error: the formula is too large.
Result<std::optional<Lasso>> lasso_against(const TemporalFormula& formula, const StateGraph& graph, Fairness fairness);

// An execution that never ends. The loop has no edges that are left out.
std::optional<Lasso> endless_lasso(const StateGraph& graph, Fairness fairness);

// Whether the lasso is a path of the graph, closes, and is fair. For tests, and to check a result.
bool is_lasso_of(const StateGraph& graph, const Lasso& lasso, Fairness fairness);

}  // namespace rehearse::mc
