// SPDX-License-Identifier: MIT
//
// The graph of the states of a program of actors, as far as it was explored, with the published values of each state.
//
// Threads: none.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mc/fair_lasso.hpp"
#include "mc/temporal_formula.hpp"
#include "simcore/remote_actor_states.hpp"

namespace rehearse::app {

class ActorStateGraph {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  struct Node {
    std::uint32_t before = none;  // the state from which it was reached first
    std::uint64_t doer = 0;       // of the step from there
    std::uint32_t depth = 0;
    WideHash image;
    bool has_read_dates = false;
    std::uint32_t values = 0;  // index of its published values
    std::vector<StepOption> options;
  };

  // The number of the state, and whether it is new. Ends without a failure are states, too.
  std::pair<std::uint32_t, bool> add(ActorsState state, std::uint32_t before, std::uint64_t doer);
  void add_edge(std::uint32_t from, std::uint32_t to, const StepOption& option);
  void set_expanded(std::uint32_t state) { graph_.states[state].is_expanded = true; }

  std::size_t size() const { return nodes_.size(); }
  std::uint64_t edges() const { return edges_; }
  const Node& at(std::uint32_t state) const { return nodes_[state]; }
  const mc::StateGraph& graph() const { return graph_; }
  std::uint64_t doer_of(std::uint32_t state, std::uint32_t edge) const;
  std::vector<std::uint64_t> path_to(std::uint32_t state) const;  // doers
  const std::vector<ActorValue>& values_of(std::uint32_t state) const { return values_[nodes_[state].values]; }

  // Names of the formula that no actor has published, and names without an actor that several have published.
  std::set<std::string> missing(const mc::TemporalFormula& formula) const;
  std::set<std::string> ambiguous(const mc::TemporalFormula& formula) const;
  // Sets the letter of each state.
  void evaluate(const mc::TemporalFormula& formula);

 private:
  bool is_published(const Predicate::Term& term) const;
  std::uint64_t letter_of(const mc::TemporalFormula& formula, const std::vector<ActorValue>& values) const;

  mc::StateGraph graph_;
  std::vector<Node> nodes_;
  std::unordered_map<std::string, std::uint32_t> by_image_;
  std::map<std::string, std::uint32_t> values_index_;
  std::vector<std::vector<ActorValue>> values_;
  std::map<std::string, std::set<std::uint32_t>> publishers_;  // by name
  std::unordered_map<std::uint64_t, std::uint32_t> doers_;
  std::uint64_t edges_ = 0;
};

}  // namespace rehearse::app
