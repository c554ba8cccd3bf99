// SPDX-License-Identifier: MIT
//
// Waiting without saying so: rows of polls without success and of clock reads, and what keeps them from never ending.
//
// Polls:   no costs no time. An actor that polls the same again and again, and does nothing else, spins: then
//          its poll waits, and is answered at the date at which it can be yes, or anything else of the actor
//          changes, or nothing is under way any more. One that also reads the clock may have a deadline:
//          its polls wait, too, but each no longer than about 6 % of the time that the row of polls has taken,
//          and a second at most: a second of polling is a few hundred polls.
// Clock:   an actor that does nothing but read the clock waits for a date. Each look costs a little time; those of a
//          long row, all from the same chain of calls, grow as such polls do, to a millisecond at most. A second loop
//          has another look before it, from elsewhere, with which a new row begins. An actor that works between its
//          looks, between most of them, waits for nothing: its looks do not grow. Between looks of a loop that
//          waits at leisure (a pause of the processor, a yield) is as little as between those of one that works a
//          little: a very long row of either is taken for waiting.
// Hanging: nothing is under way, and every actor is blocked, ended, or has polled without success many times
//          since anything happened.
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

  // Counts a clock read, and says what it costs.
  Duration cost_of_look(ActorId id, ActorState& actor);

  // Counts a poll without success. True: the actor goes round in a circle of them.
  bool spins(ActorState& actor);

  // The actor waits until its poll can be answered yes; not for long if it may have a deadline. Always false.
  bool wait(ActorId id, ActorState& actor);

  // Something that the actor could ask for has changed: if it waits in a poll for something else, that is answered.
  void end(ActorId id) {
    ActorState& actor = actors_[id];
    if (actor.wait != Wait::poll || actor.is_ready) return;
    actor.poll_is_over = true;
    actors_.make_ready(id);
  }

  bool has_idle() const { return !idle_.empty(); }
  // Whoever waits in a poll is answered no: nothing will change unless they do something.
  void wake_idle();

 private:
  bool is_hanging(ActorState& actor);

  RunState& run_;
  ActorTable& actors_;
  Agenda& agenda_;
  std::vector<ActorId> idle_;  // polling until something changes
  std::uint64_t hanging_since_ = 0;
  std::uint32_t hanging_ = 0;  // who polled without success often enough since then
};

}  // namespace rehearse::engine
