// SPDX-License-Identifier: MIT
//
// The cost of application code for each history of answers. If a program runs repeatedly, an actor with the same
// history has the same cost each time.
//
// History: the answers to the actor in order, with their data and dates. An actor is a function of its answers
//          (program.hpp), so after equal histories it runs the same code.
// Memory:  a little more than 16 bytes for each step of each history, up to `most`. Later steps are not recorded; their
//          cost is measured each time.
// Units:   seconds on this machine.
// Threads: none; a forked process continues with its own copy.
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

  // To be called at the beginning of a run.
  void begin(std::uint32_t actors);

  // To be called when the actor gets this answer, while its data is valid.
  void on_answer(ActorId actor, const Observation& answer);

  // The cost of the actor's step since its last answer: the recorded one, or `measured` the first time.
  double took(ActorId actor, double measured);

  std::size_t size() const { return known_.size(); }

 private:
  std::size_t most_;
  std::vector<std::uint64_t> histories_;             // by actor, hashes of its answers in this run
  std::unordered_map<std::uint64_t, double> known_;  // by history
};

}  // namespace rehearse
