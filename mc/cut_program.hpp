// SPDX-License-Identifier: MIT
//
// A Program whose actors end after a given number of operations, to run a part of an execution that never ends.
//
// Ownership: the program must outlive it.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "mc/watched_program.hpp"

namespace rehearse::mc {

class CutProgram final : public WatchedProgram {
 public:
  // `operations`: by actor; after so many of them it ends.
  CutProgram(Program& program, std::vector<std::uint32_t> operations)
      : WatchedProgram(program), most_(std::move(operations)), done_(most_.size()) {}

  const Operation& next(ActorId actor) override {
    return has_come_to_its_end(actor) ? end_ : WatchedProgram::next(actor);
  }
  void resume(ActorId actor, const Observation& observation) override {
    ++done_[actor.value];
    WatchedProgram::resume(actor, observation);
  }

  // Whether each actor has started its last operation.
  bool has_run() const {
    for (std::size_t a = 0; a < most_.size(); ++a)
      if (done_[a] + 1 < most_[a]) return false;
    return true;
  }

 private:
  bool has_come_to_its_end(ActorId actor) const { return done_[actor.value] >= most_[actor.value]; }
  void look(ActorId, const Operation&) override {}
  void forget(ActorId actor) override { done_[actor.value] = 0; }

  std::vector<std::uint32_t> most_, done_;
  Operation end_ = End{};
};

}  // namespace rehearse::mc
