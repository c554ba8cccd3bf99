// SPDX-License-Identifier: MIT
//
// Passive target epochs: locks, flushes, and MPI_Win_sync.
//
// Locks:  a lock is taken at its call. Requests for the lock of one window are granted in the order of their arrival.
// Flush:  waits until the operations have taken effect at the target. A local flush waits for answers only: the driver
//         has the data of the other operations.
// Source: MPI 5.0, 12.5.3 to 12.5.4.
#include <string>

#include "simcore/actor.hpp"
#include "simcore/support/format.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/driver_services.hpp"
#include "smpi/error.hpp"
#include "smpi/report.hpp"
#include "smpi/rma/access.hpp"
#include "smpi/rma/window.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::string_view nested = "rma.nested";
constexpr std::string_view not_open = "rma.not_open";

void check_target(Arguments& check, const Window* window, int rank) {
  if (check.failed()) return;
  if (rank == MPI_PROC_NULL || (rank >= 0 && rank < window->size())) return;
  check.require(false, MPI_ERR_RANK,
                fmt::format("the rank is {}, but the ranks of the window are 0 to {}", rank, window->size() - 1));
}

void check_lock(Arguments& check, const Window* window, int assertion) {
  if (check.failed()) return;
  check.require((assertion & ~MPI_MODE_NOCHECK) == 0, MPI_ERR_ASSERT,
                [&] { return fmt::format("the assertion is {}, but only MPI_MODE_NOCHECK is possible", assertion); },
                "argument.value");
  check.require(!window->has_no_locks, MPI_ERR_RMA_SYNC, "the window was made with the hint no_locks",
                "rma.passive_only");
}

void check_nothing_open(Arguments& check, const std::string& open) {
  if (check.failed() || open.empty()) return;
  check.require(false, MPI_ERR_RMA_SYNC, open + " is open", nested);
}

// A lock ends the use of the last fence's epoch, which has no operations.
void leave_fence_epoch(Window& window) { window.epochs.fence.is_open = false; }

int lock(int type, int rank, int assertion, MPI_Win win) {
  Arguments check(win);
  Window* window = find_window(win);
  check.require(type == MPI_LOCK_EXCLUSIVE || type == MPI_LOCK_SHARED, MPI_ERR_LOCKTYPE,
                [&] { return fmt::format("the lock type is {}, not MPI_LOCK_EXCLUSIVE or MPI_LOCK_SHARED", type); });
  check_target(check, window, rank);
  check_lock(check, window, assertion);
  if (check.failed()) return check.error();
  Epochs& epochs = window->epochs;
  if (epochs.locks.empty()) check_nothing_open(check, open_access_epoch(*window));
  if (const auto known = epochs.locks.find(rank); known != epochs.locks.end())
    check.require(false, MPI_ERR_RMA_SYNC,
                  fmt::format("rank {} is locked already, by {}", rank, text_of(known->second.site)), nested);
  if (rank == window->rank() && epochs.exposure)
    check_nothing_open(check, "the exposure of " + text_of(epochs.exposure->site));
  if (check.failed()) return check.error();
  if (rank == MPI_PROC_NULL) {
    epochs.locks[rank] = {type, false, creation_site()};
    return MPI_SUCCESS;
  }
  const bool is_checked = (assertion & MPI_MODE_NOCHECK) == 0;
  if (is_checked) take_lock(*window, rank, type);
  leave_fence_epoch(*window);
  epochs.locks[rank] = {type, is_checked, creation_site()};
  if (rank == window->rank()) absorb_updates(*window);
  return MPI_SUCCESS;
}

int unlock(int rank, MPI_Win win) {
  Arguments check(win);
  Window* window = find_window(win);
  check_target(check, window, rank);
  if (check.failed()) return check.error();
  const auto known = window->epochs.locks.find(rank);
  check.require(
      known != window->epochs.locks.end(), MPI_ERR_RMA_SYNC,
      [&] {
        return window->epochs.lock_all ? "the window was locked by MPI_Win_lock_all, so it needs MPI_Win_unlock_all"
                                       : fmt::format("rank {} is not locked", rank);
      },
      not_open);
  if (check.failed()) return check.error();
  if (rank == window->rank()) publish_stores(*window);
  const int error = rank == MPI_PROC_NULL ? MPI_SUCCESS : finish_operations(*window, rank);
  const LockEpoch lock = known->second;
  window->epochs.locks.erase(known);
  if (lock.is_held) give_lock_back(*window, rank, lock.type);
  if (rank != MPI_PROC_NULL) note_complete(*window, rank);
  return error;
}

int lock_all(int assertion, MPI_Win win) {
  Arguments check(win);
  Window* window = find_window(win);
  check_lock(check, window, assertion);
  if (check.failed()) return check.error();
  check_nothing_open(check, open_epoch(*window));
  if (check.failed()) return check.error();
  const bool is_checked = (assertion & MPI_MODE_NOCHECK) == 0;
  if (is_checked) take_all_locks(*window);
  leave_fence_epoch(*window);
  window->epochs.lock_all = LockEpoch{MPI_LOCK_SHARED, is_checked, creation_site()};
  absorb_updates(*window);
  return MPI_SUCCESS;
}

int unlock_all(MPI_Win win) {
  Arguments check(win);
  Window* window = find_window(win);
  if (check.failed()) return check.error();
  check.require(window->epochs.lock_all.has_value(), MPI_ERR_RMA_SYNC, "the window is not locked by MPI_Win_lock_all",
                not_open);
  if (check.failed()) return check.error();
  publish_stores(*window);
  const int error = finish_operations(*window, every_target);
  const bool is_held = window->epochs.lock_all->is_held;
  window->epochs.lock_all.reset();
  for (int target = 0; is_held && target < window->size(); ++target) give_lock_back(*window, target, MPI_LOCK_SHARED);
  note_complete(*window, every_target);
  return error;
}

// `rank`: every_target for all targets.
int flush(int rank, MPI_Win win, bool is_local) {
  Arguments check(win);
  Window* window = find_window(win);
  if (rank != every_target) check_target(check, window, rank);
  if (check.failed()) return check.error();
  const Epochs& epochs = window->epochs;
  const bool is_locked = epochs.lock_all.has_value() ||
                         (rank == every_target ? !epochs.locks.empty() : epochs.locks.contains(rank));
  if (rank == MPI_PROC_NULL) return MPI_SUCCESS;
  if (!is_locked)
    check.require(false, MPI_ERR_RMA_SYNC,
                  rank == every_target ? std::string("no rank is locked") : fmt::format("rank {} is not locked", rank),
                  not_open);
  if (check.failed()) return check.error();
  const int error = finish_operations(*window, rank, false, is_local);
  if (!is_local) {
    note_complete(*window, rank);
    // The rank may load the memory of others: the driver writes what its operations have changed there.
    if (window->is_shared() && windows_are_messages()) ask(Compute{});
  }
  return error;
}

// There is only one copy of the memory. The barrier takes time, so that a loop that waits for another rank makes
// progress.
int synchronise(MPI_Win win) {
  Arguments check(win);
  if (check.failed()) return check.error();
  Window& window = *find_window(win);
  ++window.published;
  ++window.absorbed;
  ask(Sleep{time_of_sync});
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Win_lock(int lock_type, int rank, int assert, MPI_Win win) { return lock(lock_type, rank, assert, win); }

int Win_unlock(int rank, MPI_Win win) { return unlock(rank, win); }

int Win_lock_all(int assert, MPI_Win win) { return lock_all(assert, win); }

int Win_unlock_all(MPI_Win win) { return unlock_all(win); }

int Win_flush(int rank, MPI_Win win) { return flush(rank, win, false); }

int Win_flush_all(MPI_Win win) { return flush(every_target, win, false); }

int Win_flush_local(int rank, MPI_Win win) { return flush(rank, win, true); }

int Win_flush_local_all(MPI_Win win) { return flush(every_target, win, true); }

int Win_sync(MPI_Win win) { return synchronise(win); }

}  // namespace rehearse::smpi::calls
