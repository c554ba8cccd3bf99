// SPDX-License-Identifier: MIT
//
// The states of all actors that were reached, the steps between them, and the values that actors have published.
//
// States:  two are one if their Worlds have equal hashes and the published values are equal.
// Memory:  a World for each state that is not expanded yet.
// Threads: none.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mc/cycle/rules.hpp"
#include "mc/fair_lasso.hpp"

namespace rehearse::mc::cycle {

class StateSpace {
 public:
  // By actor and name.
  using Values = std::map<std::pair<std::uint32_t, std::string>, std::int64_t>;

  StateSpace(const Rules& rules, std::uint32_t actors);

  // Adds the steps and the states after them. Requires: not expanded.
  void expand(std::uint32_t state);
  bool is_expanded(std::uint32_t state) const { return graph_.states[state].is_expanded; }
  // The state after the step that comes next if all doers take turns; `last`: the doer before, which is replaced. The
  // state itself: it has no step. Requires: expanded.
  std::uint32_t after_turn(std::uint32_t state, std::uint64_t& last) const;

  std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }
  std::uint64_t edges() const { return edges_; }
  const StateGraph& graph() const { return graph_; }
  const Step& step_of(std::uint32_t state, std::uint32_t edge) const { return nodes_[state].steps[edge]; }
  // Actors that read the clock on their way to their operations in this state.
  const std::vector<std::uint32_t>& clock_readers(std::uint32_t state) const { return nodes_[state].clock_readers; }

  const std::vector<Values>& values() const { return values_; }
  // Sets the letter of each state, from the letters of values().
  void set_letters(const std::vector<std::uint64_t>& letters);

  // Of all states so far: some actor has read the clock; some execution ends with an error; some has actors that wait
  // forever.
  bool reads_clock() const { return reads_clock_; }
  bool has_failed() const { return has_failed_; }
  bool waits_forever() const { return waits_forever_; }

 private:
  struct Node {
    World world;  // empty: expanded
    std::uint32_t values = 0;
    std::vector<Step> steps;
    std::vector<std::uint64_t> doers;  // of the steps
    std::vector<std::uint32_t> clock_readers;
  };

  std::uint32_t add(World world, std::uint32_t values);
  std::uint32_t values_after(const World& world, const Step& step, std::uint32_t before);
  std::uint32_t index_of(Values values);
  void note(const World& world, Node& node);

  const Rules& rules_;
  StateGraph graph_;
  std::vector<Node> nodes_;
  std::vector<Values> values_;
  std::map<Values, std::uint32_t> values_index_;
  struct Key {
    history::Hash128 world;
    std::uint32_t values;
    bool operator==(const Key&) const = default;
  };
  struct HashOfKey {
    std::size_t operator()(const Key& key) const { return key.world.low ^ key.values * 0x9e3779b97f4a7c15; }
  };
  std::unordered_map<Key, std::uint32_t, HashOfKey> known_;
  std::unordered_map<std::uint64_t, std::uint32_t> doers_;
  std::uint64_t edges_ = 0;
  bool reads_clock_ = false, has_failed_ = false, waits_forever_ = false;
};

}  // namespace rehearse::mc::cycle
