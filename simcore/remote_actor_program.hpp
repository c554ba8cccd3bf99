// SPDX-License-Identifier: MIT
//
// A compiled program of the actor API as a Program: it runs in a process of its own, and a copy of that process is an
// execution. All its actors together are one actor here, as in ActorProgram, and the next step of their scheduler is
// the Operation Choose.
//
// Protocol: as for Program. The code of main() before its first Simulation::run() runs once.
// End:      End with the exit status of the program. Fail if two actors race on a shared variable ("race.variable":
//           the execution ends there), if an actor failed by an exception ("crash.exception"), if
//           actors wait forever ("deadlock.actors"), by a signal ("assertion.failed", "crash.*"), or if a step takes
//           too long ("progress.step"). Fail{unsupported} names a feature that cannot be explored, or a difference
//           between executions with the same choices.
// Errors:   launch() names the program and its fault.
// Threads:  none; in a forked process, only the destructor may be called.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "simcore/program.hpp"
#include "simcore/stop_token.hpp"
#include "simcore/support/result.hpp"
#include "simcore/time.hpp"

namespace rehearse {

struct ActorEvent;  // simcore/actor_events.hpp

// Whether the file is a program that was linked with the actor API.
bool is_actor_program(const std::string& path);

// An actor that stopped before its end, with its place; frames[0] is in the user's program. No frames: unknown.
struct ActorStop {
  std::string actor;  // name; empty: main()
  std::string host;
  std::string what;  // the exception, or the object that it waits for
  std::vector<Frame> frames;
};

// How an execution ended, in all details.
struct ActorsEnd {
  std::vector<ActorStop> failed, blocked;
  std::vector<ActorStop> racing;  // the two actors of a race on a shared variable, by name; `what` is the access
};

class RemoteActorProgram final : public Program {
 public:
  struct Launch {
    std::string path;
    std::vector<std::string> arguments;
    bool with_dates = false;       // time passes as the platform of the program says, in the order of the choices
    bool shows_output = false;     // false: the output of the program is dropped, except errors()
    int output = -1;               // a descriptor that gets the output; -1: as shows_output says
    double max_step_seconds = 60;  // a step that takes longer is a fault
    StopToken stop = {};           // then each step fails (FailureKind::given_up)
    // Of an execution; behind them it fails (FailureKind::given_up), and `on_max_steps` is called.
    std::uint64_t max_steps = ~std::uint64_t{0};
    std::function<void()> on_max_steps = {};
  };
  static Result<std::unique_ptr<RemoteActorProgram>> launch(const Launch& launch);
  ~RemoteActorProgram() override;

  std::uint32_t actor_count() const override { return 1; }
  const Operation& next(ActorId actor) override;
  Ways ways(ActorId actor) override;
  void resume(ActorId actor, const Observation& observation) override;
  void restart(ActorId actor) override;
  std::unique_ptr<Snapshot> save(ActorId actor) override;  // always null: use restart()
  void restore(ActorId actor, const Snapshot& snapshot) override;
  CallDescription describe(ActorId actor) override;

  void limit_steps(double seconds, const StopToken& stop);

  // ---- of the present state
  std::vector<std::string> choices();  // in words; empty at the end
  const ActorsEnd& end();              // empty members before the end
  TimePoint now();
  std::string errors() const;  // the error output of this execution
  // In any execution so far: an actor has read the simulated date. Dates are not explored.
  bool has_read_dates() const;
  const std::string& platform() const;  // the name of the platform of its first run()

  // With dates: from now on, gets what the actors do in an execution that begins. Empty: nobody.
  void watch(std::function<void(const ActorEvent&)> events);

 private:
  class Core;
  explicit RemoteActorProgram(std::unique_ptr<Core> core);
  std::unique_ptr<Core> core_;
};

}  // namespace rehearse
