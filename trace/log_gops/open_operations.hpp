// SPDX-License-Identifier: MIT
//
// The operations of a simulation that are not over yet: they come one by one, and their numbers are used again.
//
// Life:   an operation stays until it is done, its message is received if it is a send, and nobody keeps it who may let
//         a later operation wait for it.
// Order:  operations that wait for the same one become free in the order in which they came.
// Memory: about 120 bytes for each operation that is there at once.
// Units:  dates in nanoseconds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "simcore/support/assert.hpp"
#include "simcore/support/large_vector.hpp"
#include "trace/goal.hpp"
#include "trace/log_gops/progress.hpp"

namespace rehearse::trace::log_gops {

class OpenOperations {
 public:
  // By number.
  const LargeVector<GoalOperation>& operations() const { return operations_; }
  LargeVector<Progress>& progress() { return progress_; }
  // Operations that are not done, and messages that are not received.
  std::uint64_t unfinished() const { return unfinished_; }

  // ---- operations come
  std::uint32_t add(const GoalOperation& operation, std::uint32_t rank) {
    if (free_.empty()) grow();
    const std::uint32_t number = free_.back();
    free_.pop_back();
    const std::uint32_t ends = operation.kind == GoalKind::send ? 2 : 1;
    unfinished_ += ends;
    operations_[number] = operation;
    progress_[number] = {};
    progress_[number].rank = rank;
    links_[number].holders = ends;  // an operation that is over has no successors
    return number;
  }
  // `after` waits until `before` begins, or until it is done. Requires: `after` has not been free.
  void require(std::uint32_t after, std::uint32_t before, bool begun) {
    const Progress& earlier = progress_[before];
    Links& links = links_[before];
    Progress& later = progress_[after];
    if (begun ? earlier.has_begun : earlier.is_done) {
      later.date = std::max(later.date, begun ? links.begun_from : links.done_from);
      return;
    }
    ++later.needs_or_next;
    Successors& successors = begun ? links.after_begun : links.after_done;
    const std::uint32_t edge = take_edge(after);
    (successors.first == none ? successors.first : edges_[successors.last].next) = edge;
    successors.last = edge;
  }
  bool is_free(std::uint32_t operation) const { return progress_[operation].needs_or_next == 0; }
  bool is_over(std::uint32_t operation, bool begun) const {
    return begun ? progress_[operation].has_begun : progress_[operation].is_done;
  }
  void keep(std::uint32_t operation) { ++links_[operation].holders; }
  void drop(std::uint32_t operation) {
    if (--links_[operation].holders == 0) free_.push_back(operation);
  }

  // ---- what happens to them; see event_loop.hpp
  void begin(std::uint32_t operation, std::uint64_t date, std::vector<std::uint32_t>& freed) {
    Links& links = links_[operation];
    progress_[operation].has_begun = 1;
    links.begun_from = date;
    satisfy(links.after_begun, date, freed);
  }
  void finish(std::uint32_t operation, std::uint64_t date, std::vector<std::uint32_t>& freed) {
    Links& links = links_[operation];
    progress_[operation].is_done = 1;
    links.done_from = date;
    satisfy(links.after_done, date, freed);
    end(operation);
  }
  void forget_message(std::uint32_t send) { end(send); }

 private:
  struct Successors {
    std::uint32_t first = none, last = none;  // edges
  };
  struct Links {
    std::uint64_t begun_from = 0, done_from = 0;  // dates
    Successors after_begun, after_done;
    std::uint32_t holders = 0;
  };
  struct Edge {
    std::uint32_t after = 0;
    std::uint32_t next = none;
  };

  void end(std::uint32_t operation) {
    --unfinished_;
    drop(operation);
  }

  void satisfy(Successors& successors, std::uint64_t date, std::vector<std::uint32_t>& freed) {
    if (successors.first == none) return;
    for (std::uint32_t edge = successors.first; edge != none; edge = edges_[edge].next) {
      Progress& progress = progress_[edges_[edge].after];
      progress.date = std::max(progress.date, date);
      if (--progress.needs_or_next == 0) freed.push_back(edges_[edge].after);
    }
    edges_[successors.last].next = free_edge_;
    free_edge_ = successors.first;
    successors = {};
  }

  std::uint32_t take_edge(std::uint32_t after) {
    if (free_edge_ == none) {
      edges_.emplace_back();
      free_edge_ = static_cast<std::uint32_t>(edges_.size() - 1);
    }
    const std::uint32_t edge = free_edge_;
    free_edge_ = edges_[edge].next;
    edges_[edge] = {after, none};
    return edge;
  }

  void grow() {
    const auto first = static_cast<std::uint32_t>(operations_.size());
    const std::uint32_t more = std::max(64u, first / 2);
    operations_.resize(first + more);
    progress_.resize(first + more);
    links_.resize(first + more);
    for (std::uint32_t i = more; i-- > 0;) free_.push_back(first + i);
  }

  LargeVector<GoalOperation> operations_;
  LargeVector<Progress> progress_;
  std::vector<Links> links_;
  std::vector<std::uint32_t> free_;
  std::vector<Edge> edges_;
  std::uint32_t free_edge_ = none;  // the first of a list
  std::uint64_t unfinished_ = 0;
};

}  // namespace rehearse::trace::log_gops
