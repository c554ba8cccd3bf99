// SPDX-License-Identifier: MIT
//
// The cost of application code for each history of answers: if a program runs repeatedly, an actor with the same
// history has the same cost each time, however long its code took this time.
//
// History: the answers that the actor was given, in their order, with their data and dates. Between two answers an
//          actor is a function of them (program.hpp), so there the same code ran.
// Memory:  16 bytes and a little more for each step of each history, up to `most`; steps beyond that are not remembered
//          and cost what is measured each time.
// Units:   seconds on this machine.
// Threads: none; a process that was forked continues with a copy of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "simcore/ids.hpp"
#include "simcore/observation.hpp"

namespace rehearse {

class ApplicationRecord {
 public:
  explicit ApplicationRecord(std::size_t most = std::size_t{1} << 22) : most_(most) {}

  // A run of the program begins; nobody has been answered.
  void begin(std::uint32_t actors);

  // The actor is given this answer now. The answer must still be whole.
  void on_answer(ActorId actor, const Observation& answer);

  // What the step costs that the actor made since its last answer: `measured`, if it is the first time.
  double took(ActorId actor, double measured);

  std::size_t size() const { return known_.size(); }

 private:
  std::size_t most_;
  std::vector<std::uint64_t> histories_;             // by actor, hashes of its answers in this run
  std::unordered_map<std::uint64_t, double> known_;  // by history
};

}  // namespace rehearse
