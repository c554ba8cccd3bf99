// SPDX-License-Identifier: MIT
//
// Actors of the actor API as a Program. They share memory, so all of them together are its one actor, and the next step
// of their scheduler is its Operation Choose.
//
// Protocol: `setup` adds the actors to the Simulation it is given; it is called afresh at each restart, so whatever the
//           actors share must be made there (and captured by value or by shared pointer). It must not call run().
// End:      when nothing can happen any more. Fail{crash, "crash.exception"} if an exception left an actor, while the
//           others continued; Fail{abort, "deadlock.actors"} if some wait; otherwise End{0}.
// Limits:   a platform whose hosts or links go on and off by profiles is Fail{unsupported}: when is not explored.
// Threads:  none.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "simcore/actor_api/simulation.hpp"
#include "simcore/program.hpp"

namespace rehearse {

class ActorProgram final : public Program {
 public:
  // The platform must outlive the program.
  ActorProgram(const Platform& platform, std::function<void(sim::Simulation&)> setup);
  ~ActorProgram() override;

  std::uint32_t actor_count() const override { return 1; }
  const Operation& next(ActorId actor) override;
  Ways ways(ActorId actor) override;
  void resume(ActorId actor, const Observation& observation) override;
  void restart(ActorId actor) override;
  std::unique_ptr<Snapshot> save(ActorId actor) override;  // always null: restart() makes it again
  void restore(ActorId actor, const Snapshot& snapshot) override;
  CallDescription describe(ActorId actor) override;  // the options of the choice, or the end

 private:
  struct Run;
  const Platform& platform_;
  std::function<void(sim::Simulation&)> setup_;
  std::unique_ptr<Run> run_;
};

}  // namespace rehearse
