// SPDX-License-Identifier: MIT
//
// Whether every execution writes, or sends, what the first one did: what only somebody who has seen them all can say.
//
// Shape: per actor, and only of executions that end well: the bytes that it wrote, per stream; or its sends in order,
//        each with destination, tag, mode and data (send-determinism: Cappello, Guermouche, Snir, "On Communication
//        Determinism in Parallel HPC Applications", ICCCN 2010). One finding for each actor and kind: outcome.output,
//        outcome.sends.
// Threads: none. The first execution that is looked at is the one that others are compared with: forked processes go on
//        with the same if it was looked at before.
#pragma once

#include <optional>
#include <vector>

#include "mc/graph/graph.hpp"
#include "mc/history/history.hpp"
#include "mc/verdict/execution.hpp"

namespace rehearse::mc {

class Determinism {
 public:
  Determinism(Program& program, History& history, bool of_output, bool of_sends)
      : program_(program), history_(history), of_output_(of_output), of_sends_(of_sends) {}

  bool is_asked_for() const { return of_output_ || of_sends_; }
  bool can_be_divided() const { return !is_asked_for() || first_.has_value(); }

  // Causes with one finding each, for what is not as in the first execution. Their shapes tell the actor and the kind.
  std::vector<Cause> compare(const Graph& graph);

 private:
  // What an actor had done when it came to each of its Operations.
  struct Course {
    std::vector<Deeds> deeds;
  };

  static std::vector<const Node*> nodes_of(const Graph& graph, std::uint32_t actor);
  Cause difference(const Graph& graph, std::uint32_t actor, std::uint64_t Deeds::* kind);

  Program& program_;
  History& history_;
  bool of_output_, of_sends_;
  std::optional<std::vector<Course>> first_;  // by actor
  std::string first_schedule_;
};

}  // namespace rehearse::mc
