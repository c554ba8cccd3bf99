// SPDX-License-Identifier: MIT
//
// Clears the dead part of a rank's stack after calls, so that it reads as zero.
//
// A program that reads uninitialized memory of its stack sees data of earlier calls. This data contains addresses in
// the driver's memory, which differ between runs. After a restore to an earlier state, it even contains data that the
// rank wrote later. So if LaunchSpec::clear_dead_stack is set, all memory below the frame of the caller of an MPI
// function is zero when the function returns, in every execution.
//
// Shape:  a DeadStack, the first object of an entry point, clears the stack that its call and all earlier, deeper calls
//         used. RankProgram clears stack that the rank's own code used below that, and the stack of the previous state
//         after a restore.
#pragma once

#include <cstddef>

namespace rehearse::smpi {

struct RankState;

namespace detail {
// The running rank, if its calls clear the stack; null otherwise. In the rank's own thread-local storage.
extern constinit thread_local RankState* clearing_rank;
}  // namespace detail

// Sets clearing_rank for the calling rank.
void begin_clearing(RankState& rank);

class DeadStack {
 public:
  // Without clearing, as in timed runs, this is only one comparison, so its time counts as the program's own code.
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

// The assumed depth of the stack that the code of an MPI function uses.
inline constexpr std::size_t call_depth_bytes = 4096;

// Clears the stack below the calling function, to the depth of polling calls and calls to the driver. Otherwise, parts
// of frames that our functions never write would contain data of other calls, and a polling rank would not be
// recognised as unchanged (History::is_going_round).
void clear_dead_stack();

}  // namespace rehearse::smpi
