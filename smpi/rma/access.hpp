// SPDX-License-Identifier: MIT
//
// Accesses to another member's window in which that member takes no part: operations of lock epochs, operations of a
// start epoch that need an answer, and locks.
//
// Fences:  where a driver exchanges accesses as messages, operations of fence epochs are accesses, too.
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

// What an access does.
enum class AccessKind : std::uint64_t { operation, take_shared, take_exclusive, release_shared, release_exclusive };

// The beginning of the data of an access. An operation's message follows.
struct AccessHeader {
  AccessKind kind = AccessKind::operation;
  Window* window = nullptr;       // of the target
  std::uint32_t origin = 0;       // rank in the window
  std::uint32_t exposure = 0;     // the number of the exposure that the operation needs; 0: none
  std::uint64_t fences = 0;       // that the origin has left
  std::uint64_t ticket = 0;       // 1 + the ticket of a lock request; 0: none yet
  std::uint64_t has_request = 0;  // 1: the operation is a request form
  std::uint64_t complete = 0;     // of a release: the number of the origin's operations there that are complete
  std::uint64_t is_in_fence = 0;  // 1: an operation of a fence epoch, which the last one of `fences` opened
};

// The epoch of an access, and of a start epoch the number of the exposure that belongs to it.
struct AccessEpoch {
  EpochKind kind = EpochKind::passive;
  std::uint64_t exposure = 0;
};

// Starts the operation.
void start_access(Window& window, int target, QueuedOperation operation, AccessEpoch epoch,
                  MPI_Request* request = nullptr);

// Waits for the lock of the target.
void take_lock(Window& window, int target, int type);
// The same for all members, at once.
void take_all_locks(Window& window);
// Starts to give it back. `type`: of the lock.
void give_lock_back(Window& window, int target, int type);

}  // namespace rehearse::smpi
