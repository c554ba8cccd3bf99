// SPDX-License-Identifier: MIT
//
// What an exploration must know of the orders of a team's threads, to judge all of them from one.
//
// Argument:  the threads of a team run in one order (rank_threads.hpp). Every other order has the same MPI calls and
//            results if (1) any two accesses of two threads to one byte, one of which stores, are ordered by the
//            constructs of OpenMP, (2) so are any two MPI calls, and an MPI call and an access to its buffers or to
//            memory of a window, (3) nothing takes place that depends on who comes first, but for parts of sections,
//            loops and single constructs, where the exploration chooses each thread that can (Choose). These are
//            checked in each execution. Where one does not hold, or is not known, the rank reports outcomes that are
//            left out, so it is not verified.
// Findings:  an access of one thread and the buffer of an MPI call of another, which nothing orders, are an error
//            (buffer.read, buffer.written): in some order, the access is between the call and its completion. The order
//            here contains all that OpenMP promises and, in addition, that of atomics, locks and tasks in this
//            execution, so such an order exists.
// MPI:       a thread lets the others run before each of its MPI calls, so that they do what they can without it. A
//            call stops all threads. If others could go on meanwhile, waiting ranks are not judged (threads_overlap).
// Which:     programs that are compiled with --check-memory, and that use no function but those of followed_names.cpp.
// Ownership: in the rank's memory, rolled back with it.
// Threads:   only from the rank's own fibers.
// Source:    OpenMP 5.0, 1.4 (memory model) and 2.17 (synchronisation).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "smpi/handle_registry.hpp"
#include "smpi/process/thread_accesses.hpp"

namespace rehearse::smpi {

struct BufferUse;

class ThreadOrder {
 public:
  bool is_followed() const { return followed_; }

  // A team begins: all that the running thread did happens before its members. It has no outer team of several threads.
  void begin(std::span<const ThreadNumber> members);
  void end();
  // What follows in this region cannot be known, for this reason.
  void give_up(const std::string& why);

  // Others that acquire from the same object learn all that the running thread has done. A pair of the two is a
  // happens-before edge.
  void release(const void* object);
  void acquire(const void* object);
  void forget(const void* object) { released_.erase(object); }  // a new object is at the address
  // All members are at a barrier: what they did happens before all that follows.
  void forget_accesses();

  // The running thread accesses memory, begins an MPI call, uses a buffer in a call.
  void note_access(const Span& bytes, bool stores, const void* place);
  void begin_call(std::string_view function);
  void check_buffer(const BufferUse& use);
  void end_buffer(const BufferUse& use, const CreationSite& site);

  // The running thread is about to get a part of a construct that goes to whoever comes first, if `is_left()`. The
  // exploration chooses whether others come first, and again when they have come to another such place or to MPI.
  template <class IsLeft>
  void choose_taker(const IsLeft& is_left) {
    std::optional<std::uint64_t> seen;
    while (followed_ && is_left() && others_can_run() && seen != progress_) {
      seen = progress_;
      if (!lets_others_first()) break;
    }
    ++progress_;
  }

 private:
  struct UsedBuffer {
    Span hull;
    Footprint shape;
    CreationSite site;
    ThreadAccess access;
  };

  bool lets_others_first();
  ThreadAccess access_now(bool stores, const void* place) const;
  void note_window_use();
  bool report_used_buffer(const Span& bytes, const ThreadAccess& access);
  void report(const ThreadAccess& access, const CreationSite& site);

  bool followed_ = false;
  std::vector<VectorClock> clocks_;  // by thread
  std::unordered_map<const void*, VectorClock> released_;
  ThreadAccesses accesses_;
  std::vector<UsedBuffer> buffers_;  // of calls that are complete
  std::uint64_t noted_ = 0;          // words of accesses in this region
  // By thread: the step of its last MPI call, and of its last access to a window's memory.
  std::map<ThreadNumber, std::uint32_t> calls_, window_uses_;
  std::uint32_t choices_ = 0;
  std::uint64_t progress_ = 0;  // number of parts that threads got or did not get, and of their MPI calls
  std::set<std::pair<const void*, const void*>> reported_;
};

// Whether the orders of the calling rank's threads can be followed.
bool can_follow_threads();
// The order of the calling rank's threads, if it is followed now; else null.
ThreadOrder* followed_order();

// The same as release() and acquire(), if the order is followed.
void release_to(const void* object);
void acquire_from(const void* object);
// A construct decides an order by who comes first: the exploration leaves the others out, if the order is followed.
void note_undecided(const char* construct);

}  // namespace rehearse::smpi
