// SPDX-License-Identifier: MIT
//
// Busy waiting: rows of unsuccessful polls and of clock reads, and the measures that end them.
//
// Polls:   the answer "no" costs no time. An actor that only repeats the same polls spins. Its poll then waits until
//          the date at which the answer can be yes, until anything else of the actor changes, or until no activity is
//          in progress. An actor that also reads the clock may have a deadline: each of its polls waits for at most
//          about 6 % of the duration of the row of polls, and at most a second. So a second of polling is a few hundred
//          polls.
// Clock:   an actor that only reads the clock waits for a date. Each clock read takes a little time. In a long row of
//          reads from the same chain of calls this time grows, like that of polls, up to a millisecond. Another loop
//          begins with a read from another place, which begins a new row. If an actor works between most of its reads,
//          it does not wait for a date, and the time does not grow. The work between reads may be as short as a pause
//          of the processor or a yield in a waiting loop; a very long row of such reads counts as waiting.
// Hanging: no activity is in progress, and every actor is blocked, has ended, or has polled often without success since
//          the last event.
#pragma once

#include <cstdint>
#include <vector>

#include "simcore/engine/actor_table.hpp"
#include "simcore/engine/agenda.hpp"
#include "simcore/engine/run_state.hpp"

namespace rehearse::engine {

class Polls {
 public:
  Polls(RunState& run, ActorTable& actors, Agenda& agenda) : run_(run), actors_(actors), agenda_(agenda) {}

  // Counts a clock read and returns its cost.
  Duration cost_of_look(ActorId id, ActorState& actor);

  // Counts a poll without success. True: the actor only repeats the same polls.
  bool spins(ActorState& actor);

  // The actor waits until its poll can be answered yes; not for long if it may have a deadline. Always returns false.
  bool wait(ActorId id, ActorState& actor);

  // The same for an actor that has set a timer, or has no deadline.
  bool wait_until(ActorState& actor) { return actors_.wait(actor, Wait::poll); }
  bool wait_idle(ActorId id, ActorState& actor);

  // Call it when something that the actor could poll has changed: if the actor waits in a poll, the poll is answered.
  void end(ActorId id) {
    ActorState& actor = actors_[id];
    if (actor.wait != Wait::poll || actor.is_ready) return;
    actor.poll_is_over = true;
    actors_.make_ready(id);
  }

  bool has_idle() const { return !idle_.empty(); }
  // Answers no to all actors that wait in a poll: nothing will change unless they continue.
  void wake_idle();

 private:
  bool is_hanging(ActorState& actor);
  void idle(ActorId id, ActorState& actor);

  RunState& run_;
  ActorTable& actors_;
  Agenda& agenda_;
  std::vector<ActorId> idle_;  // polling until something changes
  std::uint64_t hanging_since_ = 0;
  std::uint32_t hanging_ = 0;  // actors that have polled often without success since then
};

}  // namespace rehearse::engine
