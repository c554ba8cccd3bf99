// SPDX-License-Identifier: MIT
//
// malloc and similar functions: on a rank they use the rank's heap, elsewhere they are libc's. heap.cpp defines the
// functions, for this whole process.
//
// Errors:  a free of anything but a live block of the rank's heap is Fail{crash, "crash.heap"} of that rank.
// Threads: only the thread that runs the rank uses its heap; other memory is libc's.
#pragma once

#include "simcore/arena.hpp"

namespace rehearse::smpi {

class Folding;
class PageMerging;

// The running rank's heap, and the folded arrays and merged pages in it (null: none); set on the rank's own stack when
// it starts.
void set_rank_heap(Arena* heap, Folding* folding, PageMerging* merging);

// During its life, allocations of the calling rank use the host's memory: for objects that outlive the rank's memory.
// Must not live across an ask().
class HostAllocation {
 public:
  HostAllocation();
  ~HostAllocation();
  HostAllocation(const HostAllocation&) = delete;
  HostAllocation& operator=(const HostAllocation&) = delete;
};

// Whether a HostAllocation exists, or the host's memory is in use for another reason.
bool in_host_allocation();

}  // namespace rehearse::smpi
