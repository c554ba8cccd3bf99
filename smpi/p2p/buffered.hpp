// SPDX-License-Identifier: MIT
//
// The buffer that the program attached for its buffered sends, as an account: the driver keeps the
// messages.
//
// Rule: a message of b bytes takes b + MPI_BSEND_OVERHEAD from the buffer. When a message is
//       delivered, its rank does not learn it; but until it hears from another rank (a message, a
//       probe or a collective) it cannot know of any delivery. So the messages that were buffered
//       since then must all fit: a program that buffers more is wrong in every execution in which
//       they are slow. Nothing more is judged.
#pragma once

#include <map>

#include "mpi.h"
#include "smpi/buffers/pending.hpp"
#include "smpi/handle_registry.hpp"
#include "smpi/per_rank.hpp"

namespace rehearse::smpi {

struct AttachedBuffer {
  void* address = nullptr;
  MPI_Count bytes = 0;
  MPI_Count taken = 0;  // since the rank last heard from another
  bool attached = false;
  bool gone = false;  // its memory was freed, or its function has returned; reported
  FrameMark frame;    // of the function on whose stack it is
  CreationSite site;  // where
};

// The buffers of a rank: that of the process, and those attached to communicators and sessions. A
// send uses the one of its communicator, else that of its communicator's session, else that of the
// process.
struct AttachedBuffers {
  AttachedBuffer process;
  std::map<const void*, AttachedBuffer> others;  // by handle
};

// A buffered send of so many bytes on `comm`: takes its place, or raises MPI_ERR_BUFFER and returns
// what that says.
int take_buffer(MPI_Comm comm, MPI_Count bytes);

// MPI ends: reports those whose memory is gone.
void look_at_attached_buffers();

// The communicator or session is no more: its buffer is detached.
void forget_buffer(const void* owner);

// The rank has heard from another one: its buffered messages may have left.
void forget_taken(AttachedBuffers& buffers);
inline void heard_from_others() {
  if (PendingBuffers* pending = find_per_rank<PendingBuffers>(); pending != nullptr && pending->has_released())
    pending->forget_released();
  if (AttachedBuffers* all = find_per_rank<AttachedBuffers>(); all != nullptr) forget_taken(*all);
}

}  // namespace rehearse::smpi
