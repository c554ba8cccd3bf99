// SPDX-License-Identifier: MIT
//
// Clears the dead part of a rank's stack after calls, so that it reads as zero.
//
// A program that reads memory of its stack that it never wrote sees what earlier calls left there. Addresses in the
// driver's memory are among it, which differ from run to run; and a rank that is put back to an earlier state would see
// what it left there later. So where LaunchSpec::clear_dead_stack asks for it, all that lies below the caller of an MPI
// function reads as zero when the function returns, in every execution.
//
// Shape:  a DeadStack, the first object of an entry point, clears what its call and all earlier, deeper ones used.
//         RankProgram clears what the rank's own code used deeper still, and what a state that is left used.
#pragma once

#include <cstddef>

namespace rehearse::smpi {

struct RankState;

namespace detail {
// The rank that runs, if its calls clear the stack; null otherwise. In the rank's own thread-local storage.
extern constinit thread_local RankState* clearing_rank;
}  // namespace detail

// Sets the above, for the calling rank.
void begin_clearing(RankState& rank);

class DeadStack {
 public:
  // Where nothing is cleared, as in timed runs, this is one comparison: it counts as the program's own code.
  DeadStack() : rank_(detail::clearing_rank) {
    if (rank_ != nullptr) [[unlikely]]
      begin();
  }
  ~DeadStack() {
    if (rank_ != nullptr) [[unlikely]]
      end();
  }
  DeadStack(const DeadStack&) = delete;
  DeadStack& operator=(const DeadStack&) = delete;

 private:
  void begin();
  void end();

  RankState* rank_;  // null: nothing is cleared
};

// How far below an MPI function's caller its code is taken to reach.
inline constexpr std::size_t call_depth_bytes = 4096;

// Makes the stack below the calling function read as zero, as far as calls that poll and calls to the driver come: what
// other calls left there would otherwise be in what our functions never write of their frames, and a rank that polls
// would not be seen to be where it was before (History::is_going_round).
void clear_dead_stack();

}  // namespace rehearse::smpi
