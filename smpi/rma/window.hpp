// SPDX-License-Identifier: MIT
//
// A window from the view of one member, and the table of the calling rank's windows.
//
// Effects:   drivers that keep the memory of all ranks run the effects of accesses (simcore/operation.hpp,
// RemoteAccess)
//            on the Window of the target while the target is paused. Only `exposure_count`, `fence_count`, `lock` and
//            the window's memory matter to them; they change only `lock` and the memory.
// Ownership: in the rank's memory, rolled back with it. A member knows the other members' Windows by their addresses
//            and uses them in effects only.
// Source:    MPI 5.0, chapter 12.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mpi.h"
#include "simcore/ids.hpp"
#include "simcore/time.hpp"
#include "smpi/buffers/token.hpp"
#include "smpi/communicator/communicator.hpp"
#include "smpi/handle_registry.hpp"
#include "smpi/info/info.hpp"
#include "smpi/rma/epochs.hpp"

namespace rehearse::smpi {

struct Window;

// The memory of one member.
struct WindowPart {
  std::byte* base = nullptr;
  std::uint64_t bytes = 0;
  std::uint64_t unit = 1;
  Window* window = nullptr;  // in that member's memory
};

// The lock of one member's window. Changed only by effects. Requests are granted in the order of their arrival.
struct WindowLock {
  std::uint64_t next_ticket = 0;
  std::uint64_t served = 0;         // tickets granted so far
  std::uint32_t shared = 0;         // holders of a shared lock
  std::uint32_t exclusive = 0;      // 1 + the rank of the holder; 0: nobody
  std::vector<std::uint8_t> holds;  // by rank: whether it holds the lock
};

// An operation of the calling rank whose end it has not seen yet.
struct StartedOperation {
  RequestId id;
  int target = 0;
  bool has_answer = false;
  MPI_Request request = MPI_REQUEST_NULL;  // of a request form
  std::function<Trouble(std::span<const std::byte> answer)> take_answer;
  std::vector<BufferToken> buffers;
  LentDataRef lent = nullptr;  // see QueuedOperation
};

// Operations of a start epoch that their target takes from here, because their data is lent or stored already. Only
// their size is sent.
struct HandedOver {
  std::vector<std::byte> messages;
  std::vector<LentDataRef> kept;  // data that is not stored yet
};

struct HandedOverList {
  std::uint64_t first = 0;  // the number of the first entry
  std::vector<HandedOver> entries;
};

struct Window {
  MPI_Win handle = MPI_WIN_NULL;
  CommunicatorRef communicator;  // the members, with contexts of its own
  int flavor = MPI_WIN_FLAVOR_CREATE;
  int model = MPI_WIN_UNIFIED;
  std::vector<WindowPart> parts;                 // by rank
  std::vector<std::byte*> seen_at;               // of a shared window: by rank, where this member sees the segment
  void* own_memory = nullptr;                    // that MPI allocated and frees with the window
  std::map<std::byte*, std::uint64_t> attached;  // of a dynamic window
  std::string name;
  MPI_Errhandler error_handler = MPI_ERRORS_ARE_FATAL;
  Hints hints;
  bool has_no_locks = false;  // hint no_locks
  bool is_hidden = false;     // the program has no handle of it (shared file pointers)
  MPI_Aint size_attribute = 0;
  int unit_attribute = 1;

  Epochs epochs;
  std::vector<StartedOperation> started;      // in the order of their start
  bool is_finishing = false;                  // a thread waits for some of them
  std::vector<RequestId> closing;             // releases of locks on their way
  std::vector<std::uint64_t> exposure_count;  // by origin: number of its exposures (MPI_Win_post) so far
  std::uint64_t fence_count = 0;              // fences that are over for this member
  std::uint64_t fences_stored = 0;            // fences for which this member has stored the data that it had lent
  std::map<int, HandedOverList> handed_over;  // by target
  std::map<int, std::uint64_t> taken;         // by origin: the number of its HandedOver that are carried out
  WindowLock lock;
  // By target: the number of this member's operations in lock epochs, and of those that are complete at the target.
  std::vector<std::uint64_t> issued, complete;
  // In the separate model: calls of this member by which its stores reach the public copy, and by which the updates of
  // others reach the private one.
  std::uint64_t published = 0, absorbed = 0;
  std::uint64_t heard_before = 0;  // Library::heard when the last active epoch of this member ended

  int rank() const { return communicator->rank(); }
  int size() const { return communicator->size(); }
  const WindowPart& own() const { return parts[static_cast<std::size_t>(rank())]; }
  // Whether members load and store each other's memory.
  bool is_shared() const { return flavor == MPI_WIN_FLAVOR_SHARED && size() > 1; }
  bool is_separate() const { return model == MPI_WIN_SEPARATE; }
  const WindowPart& part(int rank) const { return parts[static_cast<std::size_t>(rank)]; }
};

inline constexpr Duration time_of_sync{100'000};  // of MPI_Win_sync: 0.1 microseconds

struct Windows {
  HandleRegistry<MPI_Win, std::unique_ptr<Window>, HandleKind::window> made;
  std::uint32_t count = 0;
};

// Of the calling rank.
Windows& windows();

// Null: MPI_WIN_NULL, freed, or no window.
Window* find_window(MPI_Win handle);
// The live window of this rank whose messages have the context, or null. For drivers, of a paused rank.
const Window* find_window(const Windows& windows, ContextId context);

// The owner's call brings its stores to the public copy, or the updates of others to the private copy. Nothing in the
// unified model.
void publish_stores(Window& window);
void absorb_updates(Window& window);

// Deletes the attributes, last first. The result of the callback that failed, or MPI_SUCCESS.
int delete_window_attributes(MPI_Win window);

}  // namespace rehearse::smpi
