// SPDX-License-Identifier: MIT
//
// Accesses to another member's window in which that member takes no part: operations of lock epochs, operations of a
// start epoch that need an answer, and locks.
//
// Effects: see window.hpp. An operation of a start epoch waits until its target has exposed its window; an operation or
//          lock waits until its target has left the fences that the origin has left.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "mpi.h"
#include "simcore/operation.hpp"
#include "smpi/rma/epochs.hpp"
#include "smpi/rma/operation_message.hpp"
#include "smpi/rma/window.hpp"

namespace rehearse::smpi {

// other: not an access of an epoch of locks.
enum class AccessKind : std::uint8_t { operation, shared_lock, exclusive_lock, release, other };
AccessKind kind_of(const RemoteAccess& access);
OperationView operation_in(const RemoteAccess& access);
// The rank of the origin in the window.
int origin_in(const RemoteAccess& access);

// Notes that all operations of the calling rank on this target, or every_target, are over there.
void note_finished(const Window& window, int target);

// Starts the operation. `exposure`: the number of the exposure that it needs; 0: none.
void start_access(Window& window, int target, QueuedOperation operation, std::uint64_t exposure,
                  MPI_Request* request = nullptr);

// Waits for the lock of the target.
void take_lock(Window& window, int target, int type);
// The same for all members, at once.
void take_all_locks(Window& window);
// Starts to give it back.
void give_lock_back(Window& window, int target);

}  // namespace rehearse::smpi
