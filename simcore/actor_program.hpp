// SPDX-License-Identifier: MIT
//
// Actors of the actor API as a Program. They share memory, so all of them together are its one actor, and the next step
// of their scheduler is its Operation Choose.
//
// Protocol: `setup` adds the actors to the given Simulation. Each restart calls it again, so it must make the objects
//           that the actors share (captured by value or by shared pointer). It must not call run().
// End:      when nothing more can happen, or at a race on a shared variable (Fail{assertion, "race.variable"}).
//           Fail{crash, "crash.exception"} if an exception left an actor (the others continue); Fail{abort,
//           "deadlock.actors"} if some actors wait; otherwise End{0}.
// Limits:   a platform with state profiles of hosts or links is Fail{unsupported}, because dates are not explored.
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
  std::unique_ptr<Snapshot> save(ActorId actor) override;  // always null: use restart()
  void restore(ActorId actor, const Snapshot& snapshot) override;
  CallDescription describe(ActorId actor) override;  // the options of the choice, or the end

 private:
  struct Run;
  const Platform& platform_;
  std::function<void(sim::Simulation&)> setup_;
  std::unique_ptr<Run> run_;
};

}  // namespace rehearse
