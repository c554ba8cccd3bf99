// SPDX-License-Identifier: MIT
//
// Threads of a rank. They are cooperative: each has its own stack and its own thread-local storage, and one of them
// runs until it waits for another, sleeps, yields or ends.
//
// Order:     one fixed rule. A thread of pthread_create runs at once; its creator, and each thread that gets what it
//            waited for, goes to the end of a queue. The first one of the queue runs next. When the queue is empty, the
//            sleeping thread runs that wakes up first.
// Time:      see thread_clock.hpp.
// Reports:   a rank that creates threads: other orders are left out (unsupported.outcomes). A rank all of whose threads
//            wait for each other: thread.deadlock.
// MPI:       a call stops all threads of the rank, unless they wait apart (thread_waits.hpp). Calls that the thread
//            level forbids are findings (thread.level).
// Ownership: in the rank's memory, rolled back with it.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "simcore/fiber.hpp"
#include "simcore/observation.hpp"
#include "simcore/operation.hpp"
#include "smpi/process/rank_state.hpp"
#include "smpi/process/thread_block.hpp"
#include "smpi/process/thread_clock.hpp"

namespace rehearse::smpi {

class CallScope;

using ThreadNumber = std::uint32_t;  // 0: the thread that runs main()

// `parked`: it does nothing until unpark_thread(), and nobody expects that it does.
enum class ThreadStatus : std::uint8_t { running, ready, waiting, parked, over };

// A wait of a thread: for wake() of `object`, for a time or, of threads that wait apart, for a yes of the driver.
struct ThreadWait {
  const void* object = nullptr;  // null: it only sleeps
  std::string_view function;     // the name of the called function
  const void* place = nullptr;   // the return address of the call in the program; null: not known
  double until = std::numeric_limits<double>::infinity();  // on the clock of the rank's threads, in seconds
  const Awaited* question = nullptr;
  bool polls = false;  // it also ends when other threads have run
};

// A row of polls without success of a thread that waits apart, and of its reads of the clock. Dates in seconds.
struct ThreadPolls {
  std::uint32_t rounds = 0, looks = 0, interruptions = 0;
  double began = 0, looks_began = 0;
  bool reads_clock = false;
};

struct RankThread {
  Fiber fiber;
  RankState* rank = nullptr;
  ThreadNumber number = 0;
  ThreadStatus status = ThreadStatus::running;
  std::byte* memory = nullptr;  // of the stack and the thread-local block; null: the thread of main()
  bool has_usual_stack = true;  // its memory can be reused
  std::byte* thread_pointer = nullptr;
  void* (*function)(void*) = nullptr;
  void* argument = nullptr;
  void* result = nullptr;
  bool can_be_joined = true;
  bool is_late = false;  // its last wait ended because of its time limit
  ThreadWait wait;
  std::uint64_t turn = 0;  // the order in which threads began to wait
  ThreadMoment now;
  ExitHandler* handlers = nullptr;  // while it does not run: RankState::thread_handlers, thread_values
  void** values = nullptr;
  void* member = nullptr;           // its place in an OpenMP team
  const CallScope* call = nullptr;  // while it does not run: its MPI call; null: none

  // Of a thread that waits apart:
  double code_seconds = 0;  // that it has run and that have not passed
  double stated_flops = 0;
  ThreadPolls polls;
  std::uint64_t seen_activity = 0;
  Observation answer;
  bool is_overtaken = false;  // another thread has taken what its poll slept for

  // Whether it can continue without another thread.
  bool can_run() const {
    const bool sleeps = status == ThreadStatus::waiting && wait.until < std::numeric_limits<double>::infinity();
    return status == ThreadStatus::ready || sleeps;
  }
};

// A recursive or checking mutex that is locked.
struct HeldMutex {
  const pthread_mutex_t* mutex = nullptr;
  ThreadNumber holder = 0;
  std::uint32_t times = 0;
};

// State of a pthread_barrier_t.
struct ThreadBarrier {
  unsigned threads = 1;
  unsigned arrived = 0;
  std::uint64_t round = 0;
};

struct RankThreads {
  std::vector<RankThread*> all;  // by number; empty: only the thread of main() exists
  std::deque<ThreadNumber> ready;
  std::vector<std::byte*> spare;  // memory of threads that are over
  std::vector<HeldMutex> held;    // also if the rank has no threads
  std::map<const pthread_barrier_t*, ThreadBarrier> barriers;
  ThreadClock clock;
  ThreadPointerSetter thread_pointer;
  ThreadNumber running = 0;
  std::uint64_t turns = 0;
  std::uint64_t activity = 0;  // number of times that a thread has run that did not only poll
  std::uint64_t switches = 0;  // number of times that the running thread has let others run
  bool apart = false;          // see thread_waits.hpp
  double looped = 0;           // of threads that wait apart: seconds of processor time, in ended turns since a call
  std::uint32_t idled = 0;     // number of times since the last switch
  std::uint32_t alive = 0;     // created threads that are neither over nor parked
  ThreadNumber started_mpi = 0;
  bool has_started_mpi = false;

  bool is_main() const { return !has_started_mpi || running == started_mpi; }
};

// Whether the rank has created threads; the same for the rank with this actor_slot().
bool has_threads();
bool has_threads(const void* slot);

// Where the thread of main() stands, in a rank that is suspended.
const std::byte* main_stack_pointer(const RankState& rank);

// Notes for the checks of MPI calls that another thread runs.
void switch_thread(ThreadNumber number);
// The running thread has called MPI_Init, or a similar function.
void note_start_of_mpi();

// Ends the rank, as unsupported, if `function` belongs to a library that runs teams of threads of its own.
void refuse_teams(const void* function);

// Makes a thread. `runs_now`: it runs before its creator continues; otherwise it waits in the queue.
RankThread& make_thread(void* (*function)(void*), void* argument, std::size_t stack_bytes, bool runs_now);
void start_thread(RankThread& thread);
[[noreturn]] void end_thread(void* result);
RankThread& running_thread();  // makes the rank's table of threads if there is none

// The running thread waits. False: the time limit ended the wait.
bool wait_for(const ThreadWait& wait);
// The first `most` threads that wait for the object continue.
void wake(const void* object, std::size_t most = std::numeric_limits<std::size_t>::max());
bool is_awaited(const void* object);

// For thread_waits.cpp: it goes to the end of the queue; and the driver learns how far the rank's time is.
void make_thread_ready(RankThread& thread);
void bring_up_to_date();

// The running thread goes to the end of the queue. False: no other thread can run.
bool yield_thread();
// The running thread does nothing until unpark_thread().
void park_thread();
void unpark_thread(RankThread& thread);

// Whether a thread other than the running one can continue by itself; the same, or with an answer of the driver.
bool others_can_run();
bool others_could_run();

// The running thread has run for long, and perhaps waits for a variable that another thread sets: that thread runs if
// it is no later. If code takes no time, the running thread waits until it is as late.
void give_way();

// Sleeps if the rank has other threads; false: it has none, and the whole rank sleeps.
bool sleep_thread(double seconds);
// The value of ThreadWait::until for a date in so many seconds from now.
double moment_in(double seconds);

// A thread does something by which threads poll: it reads the clock, takes a lock, tests a request. From time to time
// it yields.
void note_idling();

}  // namespace rehearse::smpi
