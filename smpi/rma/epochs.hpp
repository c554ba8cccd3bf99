// SPDX-License-Identifier: MIT
//
// The open epochs of one member on one window, and the rules which may be open at once.
//
// Rules:  at most one access epoch of the active kinds (fence, start), or locks; at most one exposure epoch. A fence
//         epoch counts only once an operation was issued in it. A lock closes it, until the next fence.
// Source: MPI 5.0, 12.5.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mpi.h"
#include "simcore/ids.hpp"
#include "smpi/handle_registry.hpp"
#include "smpi/request/request.hpp"
#include "smpi/rma/lent_data.hpp"

namespace rehearse::smpi {

struct Window;

// An operation of an active epoch that is carried out when the epoch ends, as the message that the target gets.
struct QueuedOperation {
  std::vector<std::byte> message;                                         // operation_message.hpp
  std::function<Trouble(std::span<const std::byte> answer)> take_answer;  // empty: it has no answer
  std::vector<BufferToken> buffers;
  LentDataRef lent = nullptr;  // of a put or accumulate; null: its data is in the message
};

// The operations of an epoch for one target.
struct OperationQueue {
  std::vector<QueuedOperation> operations;
  bool at_once = false;  // of a start epoch: an operation needs an answer, so all are carried out at once
};

struct FenceEpoch {
  bool is_open = false;                  // operations may be issued
  bool must_end = false;                 // the next fence ends an epoch
  bool is_used = false;                  // an operation was issued
  bool no_put = false;                   // MPI_MODE_NOPUT: no other member updates the caller's memory in the epoch
  CreationSite site;                     // of the fence that opened it
  std::map<int, OperationQueue> queues;  // by target
};

struct StartEpoch {
  std::vector<int> targets;
  std::vector<std::uint64_t> numbers;  // by target, parallel: the number of the exposure that belongs to it
  CreationSite site;
  std::map<int, OperationQueue> queues;  // by target
};

struct Exposure {
  std::vector<int> origins;
  std::vector<RequestId> requests;  // of receives: for each origin, of the start, then of the complete
  bool no_put = false;              // MPI_MODE_NOPUT
  CreationSite site;
};

// Messages about start epochs: of MPI_Win_start, and of MPI_Win_complete.
inline constexpr Tag start_tag = 0;
inline constexpr Tag complete_tag = 1;

struct LockEpoch {
  int type = MPI_LOCK_SHARED;
  bool is_held = true;  // false: MPI_MODE_NOCHECK
  CreationSite site;
};

struct Epochs {
  FenceEpoch fence;
  std::optional<StartEpoch> start;
  std::optional<Exposure> exposure;
  std::map<int, LockEpoch> locks;  // by target
  std::optional<LockEpoch> lock_all;
  std::vector<std::uint64_t> started;  // by target: number of start epochs that named it so far

  bool is_passive() const { return lock_all.has_value() || !locks.empty(); }
};

// The epoch in which an operation on this target would be now.
enum class EpochKind : std::uint8_t { none, fence, start, passive };
EpochKind epoch_for(const Window& window, int target);

// An open epoch as text, "the epoch of MPI_Win_start at a.c:12", or empty.
std::string open_access_epoch(const Window& window);  // start, a used fence epoch, locks
std::string open_epoch(const Window& window);         // also an exposure

// In place of a target: all targets.
inline constexpr int every_target = std::numeric_limits<int>::min();

// Waits for the operations on this target, and with `closing` for releases of locks. `only_answers`: operations without
// an answer only end at their origin. Returns the first error, raised.
int finish_operations(Window& window, int target, bool closing = false, bool only_answers = false);
// The operations of lock epochs on this target, for which the caller has waited, are complete there.
void note_complete(Window& window, int target);

// Reports epochs that are open at MPI_Finalize.
void report_open_epochs(const Window& window);

}  // namespace rehearse::smpi
