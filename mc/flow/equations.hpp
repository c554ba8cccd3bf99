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

#include "mc/flow/model.hpp"
#include "mc/flow/net.hpp"
#include "mc/flow/proof_writer.hpp"
#include "mc/flow/solver.hpp"

namespace rehearse::mc::flow {

class Equations {
 public:
  using Rules = Model::Rules;

  // `writer` gets each refuted question that the proof needs; null: nobody does.
  explicit Equations(const Net& net, Rules rules = {}, ProofWriter* writer = nullptr)
      : net_(net), rules_(rules), writer_(writer) {}

  // What cannot be excluded, in words; empty: nothing, so there is no error.
  std::string possible_error(const Solver::GoesOn& goes_on);

  std::uint64_t equations() const { return equations_; }  // of the largest system
  const SolverStatistics& statistics() const { return statistics_; }

 private:
  // One of the three questions, its rows, and who answers.
  struct Part;

  std::string possible_failure(const Solver::GoesOn& goes_on);
  std::string possible_deadlock(const Solver::GoesOn& goes_on);
  std::string possible_loss(const Solver::GoesOn& goes_on);
  bool excludes_any(Part& part, const std::vector<std::uint32_t>& elements, Effort effort);
  bool excludes_point(Part& part, PointId point, MessageId message = no_message);
  bool excludes_message(Part& part, MessageId message);
  bool excludes_waiting(Part& part, const std::vector<PointId>& where);
  bool excludes_messages(Part& part);
  bool note(Part& part, const ProofWriter::Elements& elements, const std::vector<RowName>& names,
            const std::optional<Refutation>& refutation);
  void count(const Part& part);

  const Net& net_;
  Rules rules_;
  ProofWriter* writer_;
  std::uint64_t equations_ = 0;
  SolverStatistics statistics_;
};

}  // namespace rehearse::mc::flow
