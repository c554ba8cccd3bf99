// SPDX-License-Identifier: MIT
//
// Memory that the program frees while MPI still uses it: buffers of operations that are not complete, and attached
// buffers (buffer.freed).
//
// Method:  a block that a pending operation uses is kept until the operation is complete, so that a message that
//          arrives there later does no damage.
// Cost:    two comparisons if no operation is pending; otherwise a search among the pending buffers.
// Threads: only from the rank's own fiber.
#pragma once

#include "smpi/p2p/buffered.hpp"

namespace rehearse::smpi {

// The program's free() and similar functions call it with a live block of the heap. True: the block must not be freed.
bool keep_pending_block(void* block);

inline bool must_keep(void* block) {
  const PendingBuffers* pending = find_per_rank<PendingBuffers>();
  const bool may_be_used = (pending != nullptr && !pending->empty()) || find_per_rank<AttachedBuffers>() != nullptr ||
                           watched.bytes > 0;
  return may_be_used && keep_pending_block(block);
}

}  // namespace rehearse::smpi
