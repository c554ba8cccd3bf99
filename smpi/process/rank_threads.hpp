// SPDX-License-Identifier: MIT
//
// Threads of a rank. Each runs to its end when it is created, on the stack of its creator: one of the possible orders.
// It cannot wait for another thread.
//
// Says:      who creates a thread, that other orders are left out (unsupported.outcomes).
// Errors:    a thread that would wait, and MPI calls of several threads, end the rank as unsupported, by name; calls
//            that the level of threads forbids are findings (thread.level).
// Ownership: in the rank's memory, rolled back with it.
#pragma once

#include <pthread.h>

#include <csetjmp>
#include <cstdint>
#include <vector>

namespace rehearse::smpi {

using ThreadNumber = std::uint32_t;  // 0: the one that runs main()

struct RankThread {
  void* result = nullptr;
  bool is_over = false;
  bool can_be_joined = true;
  std::jmp_buf end;  // where pthread_exit goes
};

// A recursive mutex that is locked.
struct HeldMutex {
  const pthread_mutex_t* mutex = nullptr;
  ThreadNumber holder = 0;
  std::uint32_t times = 0;
};

struct RankThreads {
  std::vector<RankThread*> created;  // number 1 and on
  std::vector<HeldMutex> held;       // also of a rank without threads
  ThreadNumber running = 0;
  std::uint32_t idled = 0;  // times, by other threads than main()'s
  ThreadNumber started_mpi = 0;
  bool has_started_mpi = false;

  bool is_main() const { return !has_started_mpi || running == started_mpi; }
};

// Whether the rank has created any.
bool has_threads();

// Another thread runs from now on.
void switch_thread(ThreadNumber number);
// The one that runs has called MPI_Init, or one of its kind.
void note_start_of_mpi();

// Ends the rank, as unsupported, if this is what threads of a library do that wait for each other.
void refuse_teams(const void* function);
// Runs what a thread does; its number.
ThreadNumber run_thread(void* (*function)(void*), void* argument);
[[noreturn]] void end_thread(void* result);

// Ends the rank as one that would wait for another thread of its own.
[[noreturn]] void refuse_waiting(const char* function);
// A thread sleeps, yields or reads the clock. One that does that again and again waits for another.
void note_idling();

}  // namespace rehearse::smpi
