// SPDX-License-Identifier: MIT
//
// Memory that the program gives back while MPI still uses it: buffers of operations that are not complete, and attached
// buffers (buffer.freed).
//
// Method:  a block that a pending operation uses is kept until that is complete: a message that arrives there later
//          does no harm.
// Cost:    two comparisons where nothing is pending; a search among the pending buffers otherwise.
// Threads: only from the rank's own fiber.
#pragma once

#include "smpi/p2p/buffered.hpp"

namespace rehearse::smpi {

// What the program's free() and the like ask with a live block of the heap. True: it must not be given back.
bool keep_pending_block(void* block);

inline bool must_keep(void* block) {
  const PendingBuffers* pending = find_per_rank<PendingBuffers>();
  const bool may_be_used = (pending != nullptr && !pending->empty()) || find_per_rank<AttachedBuffers>() != nullptr ||
                           watched.bytes > 0;
  return may_be_used && keep_pending_block(block);
}

}  // namespace rehearse::smpi
