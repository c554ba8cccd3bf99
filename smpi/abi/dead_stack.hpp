// SPDX-License-Identifier: MIT
//
// Clears the dead part of a rank's stack after calls, so that it reads as zero.
//
// A program that reads uninitialized memory of its stack sees data of earlier calls. This data contains addresses in
// the driver's memory, which differ between runs. After a restore to an earlier state, it even contains data that the
// rank wrote later. So if LaunchSpec::clear_dead_memory is set, all memory below the frame of the caller of an MPI
// function is zero when the function returns, in every execution.
//
// It is also zero when the function begins. Otherwise, the gaps in the frames of our own functions would contain data
// of functions that the rank called before, and ranks that wait in equal states would have different images
// (simcore/state_image.hpp).
//
// Shape:  an entry point jumps to its body through rehearse_clear_for_call, before it has a frame. A DeadStack, the
//         first object of the body, clears the stack that its call and all earlier, deeper calls used. RankProgram
//         clears stack that the rank's own code used below that, and the stack of the previous state after a restore.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rehearse::smpi {

struct RankState;

namespace detail {

// The running rank, if its calls clear the stack; null otherwise. In the rank's own thread-local storage.
extern constinit thread_local RankState* clearing_rank;

// The stack pointers of callers below which rehearse_clear_for_call clears; by default none.
struct ClearedCallers {
  std::uintptr_t lowest = UINTPTR_MAX;
  std::uintptr_t end = 0;
};
extern constinit thread_local ClearedCallers cleared_callers asm("rehearse_cleared_callers");

}  // namespace detail

// Sets clearing_rank and cleared_callers for the calling rank.
void begin_clearing(RankState& rank);

// Clears call_depth_bytes below its own return address, if the rank's calls clear the stack. Changes no register that
// can have an argument. Only for entry points (smpi/abi/generate.py).
extern "C" void rehearse_clear_for_call();

class DeadStack {
 public:
  enum class Below : std::uint8_t { unknown, clear };

  // `below`: whether the stack below the body's frame is clear, because of rehearse_clear_for_call.
  // Without clearing, as in timed runs, this is only one comparison, so its time counts as the program's own code.
  explicit DeadStack(Below below = Below::unknown) : rank_(detail::clearing_rank) {
    if (rank_ != nullptr) [[unlikely]]
      begin(below);
  }
  ~DeadStack() {
    if (rank_ != nullptr) [[unlikely]]
      end();
  }
  DeadStack(const DeadStack&) = delete;
  DeadStack& operator=(const DeadStack&) = delete;

 private:
  void begin(Below below);
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
