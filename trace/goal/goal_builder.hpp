// SPDX-License-Identifier: MIT
//
// Adds ranks to a GOAL schedule, one after the other.
//
// Protocol: begin_rank(), add() and require() in any order, end_rank(); finish() behind the last rank.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/goal.hpp"

namespace rehearse::trace::goal {

// A successor has an index of 32 bits; the rest is room for the last collective of a trace that is converted.
inline constexpr std::uint64_t most_edges = (std::uint64_t{1} << 32) - (std::uint64_t{1} << 28);

class GoalBuilder {
 public:
  explicit GoalBuilder(GoalSchedule& schedule) : schedule_(schedule) {}

  void begin_rank(std::uint32_t rank);
  // The number of the operation within its rank. All have a line, or none.
  std::uint32_t add(const GoalOperation& operation) {
    schedule_.operations.push_back(operation);
    return count() - 1;
  }
  std::uint32_t add(const GoalOperation& operation, std::uint32_t line) {
    schedule_.lines.push_back(line);
    return add(operation);
  }
  std::uint32_t count() const { return static_cast<std::uint32_t>(schedule_.operations.size() - first_); }
  bool is_full() const {
    return schedule_.operations.size() >= GoalSchedule::most_operations ||
           schedule_.successors.size() + edges_.size() >= most_edges;
  }
  // `after` waits until `before` is done; or until it begins.
  void require(std::uint32_t after, std::uint32_t before, bool begun) { edges_.push_back({after, before, begun}); }
  void end_rank();
  void finish();

 private:
  struct Edge {
    std::uint32_t after;
    std::uint32_t before;
    bool begun;
  };

  GoalSchedule& schedule_;
  std::uint32_t rank_ = 0;
  std::size_t first_ = 0;  // operation of the rank
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> places_;  // by operation: where its next successor of each kind goes
};

}  // namespace rehearse::trace::goal
