// SPDX-License-Identifier: MIT
//
// Ends the turn of a thread that runs for long without a call while others of its rank could run. Otherwise a loop that
// waits for a variable would never end, because threads change at calls only.
//
// Method:  the handler of the step timer (step_clock.hpp) lets the thread continue in code that saves all registers,
//          lets the others run, and restores the registers. This happens only in the application's own code, and not
//          in a function that MPI has called.
// Turns:   they end after a second of processor time. A place where one has ended is remembered: there the following
//          ones end after some milliseconds.
// Time:    the code of a turn counts as other code, so it is measured, or nothing (give_way()).
// Threads: only for the signal handler of the thread that runs the ranks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace rehearse::smpi {

struct RankState;

// What saving the registers of the vector units takes; 0: the processor cannot do it.
std::uint64_t vector_state_bytes();

// What the signal handler knows of the running thread.
struct ThreadTurn {
  const void* of = nullptr;  // the threads of its rank
  std::uint64_t step = 0, switches = 0;
  double began = 0;                           // processor time, in seconds
  std::array<std::uint64_t, 64> places = {};  // of code in its rank's range; the oldest ones are replaced
  std::size_t noted = 0;
  std::uint64_t vector_bytes = vector_state_bytes();
};

// Whether turns of the running thread can end at all: not in a function that MPI has called.
bool can_end_turns(const ThreadTurn& turn);

// Whether other threads of the running rank could run, and its thread is in code of its own.
bool has_waiting_threads(const RankState& rank, const void* code);

// Whether the turn of the running thread, which is at `code`, is over. `step`: the number of the rank's step;
// `processor`: the processor time so far, in seconds. To be called at intervals.
bool is_turn_over(ThreadTurn& turn, const RankState& rank, const void* code, std::uint64_t step, double processor);

// Notes the end of a turn. The result: for how long threads of the rank have run in turns since its last call.
double note_end(const ThreadTurn& turn, double processor);

// For the handler: when it returns, the thread gives way and then continues where it was. `context` is its argument.
void end_turn(const ThreadTurn& turn, void* context);

}  // namespace rehearse::smpi
