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
#include "smpi/rma/epochs.hpp"
#include "smpi/rma/window.hpp"

namespace rehearse::smpi {

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
