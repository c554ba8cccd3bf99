// SPDX-License-Identifier: MIT
//
// What the actors of a compiled program do over simulated time, and a run of such a program by its own rules.
//
// Units:   bytes or flops, as the activity has them; dates are simulated.
// Errors:  a program that cannot be started, or that ends before it makes a Simulation.
// Threads: none.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "simcore/cost_model.hpp"
#include "simcore/program.hpp"
#include "simcore/remote_actor_program.hpp"
#include "simcore/support/result.hpp"
#include "simcore/time.hpp"
#include "simcore/use_map.hpp"

namespace rehearse {

struct ActorEvent {
  enum class Kind : std::uint8_t {
    start,     // of an actor; begin and end are its date
    interval,  // it does something that takes time
    open,      // the same, and never ends
    message,   // from `actor` to `peer`
    end,       // of an actor
  } kind = Kind::start;
  enum class Act : std::uint8_t { waits, sends, receives, executes, sleeps, uses_disk } act = Act::waits;
  std::uint32_t actor = 0, peer = 0;  // numbers in the order of creation, from 1
  TimePoint begin, end;
  double amount = 0;  // of a start: the speed of its host, in flops per second
  std::string name;   // start: of the actor; interval: the object of the wait; message: its mailbox
  std::string host;   // of a start
  Frame at;           // of an interval; no file: unknown
};

using ActorEvents = std::function<void(const ActorEvent&)>;

struct TimedActorRun {
  bool has_run = false;                 // a Simulation::run() has ended
  std::uint32_t hosts_with_actors = 0;  // when the first one began
  TimePoint end;                        // of the last one
  std::string platform;
  ActorsEnd stops;
  std::string id, what;             // of a failure or deadlock, as in Fail; empty: none
  int exit_status = 0;              // of a program without a failure
  std::string errors;               // its error output
  std::optional<UseMap> uses = {};  // of the last simulation that ran, if requested
  bool was_interrupted = false;
  bool was_cut = false;  // at the latest date
};

// Runs the program in simulated time as it runs by itself. Its standard output goes where ours goes.
// `with_uses`: for TimedActorRun::uses. At the date `latest` the program ends, if something happens behind it.
Result<TimedActorRun> run_actor_program(const RemoteActorProgram::Launch& launch, const ActorEvents& events = {},
                                        bool with_uses = false, TimePoint latest = CostModel::never);

}  // namespace rehearse
