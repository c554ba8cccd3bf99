// SPDX-License-Identifier: MIT
//
// malloc and its family: on a rank they serve from the rank's heap, elsewhere they are libc's. heap.cpp defines
// the functions themselves, for this whole process.
//
// Errors:  freeing what is not a live block of the rank's heap is Fail{crash, "crash.heap"} of that rank.
// Threads: a rank's heap is used by the thread that runs the rank; the rest is libc's.
#pragma once

#include "simcore/arena.hpp"

namespace rehearse::smpi {

// The running rank's heap; set on the rank's own stack when it starts.
void set_rank_heap(Arena* heap);

// While one lives, what the calling rank allocates is the host's: for what outlives the rank's memory. Must not
// live across an ask().
class HostAllocation {
 public:
  HostAllocation();
  ~HostAllocation();
  HostAllocation(const HostAllocation&) = delete;
  HostAllocation& operator=(const HostAllocation&) = delete;
};

// Whether one lives, or the host's memory is in use for another reason.
bool in_host_allocation();

}  // namespace rehearse::smpi
