// SPDX-License-Identifier: MIT
//
// The flow equations of a net: what every state of every execution satisfies. Of a state, a variable for each step says
// how often it has happened (0 or 1), one for each point whether its actor stands there, and one for each message
// whether it was sent and not taken.
//
//   start at the point + steps into it - steps out of it         = stands there
//   sent at the start + steps that send it - steps that take it  = is there
//
// An error needs a state that satisfies more:
//   failure   an actor stands at a point with a message that a failing step takes
//   deadlock  at least one actor waits, and nobody stands at a point where a message that is there can be taken
//   loss      all actors have ended, and a message is there
// If the equations of each have no solution, no execution has an error. Otherwise nothing is known.
//
// Source: Murata, "Petri nets: properties, analysis and applications", Proceedings of the IEEE 77, 1989 (the state
//         equation); docs/soundness.md has the argument.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "mc/flow/net.hpp"
#include "mc/flow/solver.hpp"
#include "mc/flow/system.hpp"

namespace rehearse::mc::flow {

class Equations {
 public:
  // Rules that can be left out, to show in tests that each is necessary.
  struct Rules {
    bool counts_start = true;     // false: what actors send before their first wait is never there
    bool lets_sends_wait = true;  // false: no actor waits in a send
  };

  explicit Equations(const Net& net, Rules rules) : net_(net), rules_(rules) {}
  explicit Equations(const Net& net) : Equations(net, Rules()) {}

  // What cannot be excluded, in words; empty: nothing, so there is no error.
  std::string possible_error(const Solver::GoesOn& goes_on);

  std::uint64_t equations() const { return equations_; }  // of the largest system
  const SolverStatistics& statistics() const { return statistics_; }

 private:
  struct Model;

  Model make_model() const;
  void add_balances(Model& model) const;
  void forbid_takes(Model& model) const;
  void add_waits(Model& model) const;
  std::vector<Row> facts(const Model& model, PointId point) const;
  std::string possible_failure(const Solver::GoesOn& goes_on);
  std::string possible_deadlock(const Solver::GoesOn& goes_on);
  std::string possible_loss(const Solver::GoesOn& goes_on);
  bool excludes_waiting(Solver& solver, const Model& model, const std::vector<PointId>& where) const;
  void count(const Model& model, const Solver& solver);

  const Net& net_;
  Rules rules_;
  std::uint64_t equations_ = 0;
  SolverStatistics statistics_;
};

}  // namespace rehearse::mc::flow
