// SPDX-License-Identifier: MIT
//
// A Program that passes each operation to an observer when it is first requested, and otherwise forwards to another
// one.
//
// Ownership: the program must outlive it.
#pragma once

#include <memory>
#include <vector>

#include "simcore/program.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::mc {

class WatchedProgram : public Program {
 public:
  explicit WatchedProgram(Program& program) : program_(program), is_known_(program.actor_count(), false) {}

  std::uint32_t actor_count() const override { return program_.actor_count(); }
  std::string_view actor_noun() const override { return program_.actor_noun(); }
  const Operation& next(ActorId actor) override {
    const Operation& operation = program_.next(actor);
    if (!is_known_[actor.value]) look(actor, operation);
    is_known_[actor.value] = true;
    return operation;
  }
  void resume(ActorId actor, const Observation& observation) override {
    if (!is_known_[actor.value]) next(actor);
    program_.resume(actor, observation);
    is_known_[actor.value] = false;
  }
  void restart(ActorId actor) override {
    program_.restart(actor);
    is_known_[actor.value] = false;
    forget(actor);
  }
  // The observer would have to save its state of the actor.
  std::unique_ptr<Snapshot> save(ActorId) override { return nullptr; }
  void restore(ActorId, const Snapshot&) override { REHEARSE_ASSERT(false, "a snapshot that was never taken"); }
  std::uint64_t site(ActorId actor) override { return program_.site(actor); }
  std::uint64_t call_chain(ActorId actor) override { return program_.call_chain(actor); }
  Frame locate(ActorId actor, const Origin& origin) override { return program_.locate(actor, origin); }
  Ways ways(ActorId actor) override { return program_.ways(actor); }
  void measure(ApplicationMeter& meter) override { program_.measure(meter); }
  CallDescription describe(ActorId actor) override { return program_.describe(actor); }

 protected:
  virtual void look(ActorId actor, const Operation& operation) = 0;
  virtual void forget(ActorId actor) = 0;  // the actor starts again

  Program& program_;

 private:
  std::vector<bool> is_known_;
};

}  // namespace rehearse::mc
