// SPDX-License-Identifier: MIT
//
// The buffers that the program attached for its buffered sends. Only the used bytes are counted here; the driver keeps
// the messages.
//
// Rule: a message of b bytes takes b + MPI_BSEND_OVERHEAD from the buffer. A rank is not informed when its message is
//       delivered. It can only conclude that from news of another rank (a message, a probe or a collective). So all
//       messages that it has buffered since the last news must fit together: otherwise the program fails in every
//       execution in which they are slow. Nothing else is checked.
#pragma once

#include <map>

#include "mpi.h"
#include "smpi/buffers/pending.hpp"
#include "smpi/handle_registry.hpp"
#include "smpi/library.hpp"
#include "smpi/per_rank.hpp"

namespace rehearse::smpi {

struct AttachedBuffer {
  void* address = nullptr;
  MPI_Count bytes = 0;
  MPI_Count taken = 0;  // since the last news from another rank
  bool attached = false;
  bool gone = false;  // its memory was freed, or its function has returned; this is reported already
  FrameMark frame;    // of the function whose stack contains it
  CreationSite site;  // where it was attached
};

// The buffers of a rank: one for the process, and those attached to communicators and sessions. A send uses the buffer
// of its communicator; without one, that of the communicator's session; without one, that of the process.
struct AttachedBuffers {
  AttachedBuffer process;
  std::map<const void*, AttachedBuffer> others;  // by handle
};

// Takes room for a buffered send of `bytes` bytes on `comm`. Without room, raises MPI_ERR_BUFFER and returns its
// result.
int take_buffer(MPI_Comm comm, MPI_Count bytes);

// At MPI_Finalize: reports attached buffers whose memory is gone.
void check_attached_buffers();

// Called when the communicator or session ends: its buffer is detached.
void forget_buffer(const void* owner);

// Called after news from another rank: the buffered messages may have been delivered.
void forget_taken(AttachedBuffers& buffers);
inline void heard_from_others() {
  if (!library().repeats_states) ++library().heard;
  if (PendingBuffers* pending = find_per_rank<PendingBuffers>(); pending != nullptr && pending->has_released())
    pending->forget_released();
  if (AttachedBuffers* all = find_per_rank<AttachedBuffers>(); all != nullptr) forget_taken(*all);
}

}  // namespace rehearse::smpi
