// SPDX-License-Identifier: MIT
//
// Threads of a rank. Each runs to its end when it is created, on the stack of its creator: one of the possible orders.
// It cannot wait for another thread.
//
// Reports:   a rank that creates threads: other orders are left out (unsupported.outcomes).
// Errors:    a thread that would wait, and MPI calls of several threads, end the rank as unsupported, by name; calls
//            that the thread level forbids are findings (thread.level).
// Ownership: in the rank's memory, rolled back with it.
#pragma once

#include <pthread.h>

#include <csetjmp>
#include <cstdint>
#include <vector>

namespace rehearse::smpi {

using ThreadNumber = std::uint32_t;  // 0: the thread that runs main()

struct RankThread {
  void* result = nullptr;
  bool is_over = false;
  bool can_be_joined = true;
  std::jmp_buf end;  // the target of pthread_exit
};

// A recursive mutex that is locked.
struct HeldMutex {
  const pthread_mutex_t* mutex = nullptr;
  ThreadNumber holder = 0;
  std::uint32_t times = 0;
};

struct RankThreads {
  std::vector<RankThread*> created;  // from number 1 on
  std::vector<HeldMutex> held;       // also if the rank has no threads
  ThreadNumber running = 0;
  std::uint32_t idled = 0;  // number of times, by threads other than main()'s
  ThreadNumber started_mpi = 0;
  bool has_started_mpi = false;

  bool is_main() const { return !has_started_mpi || running == started_mpi; }
};

// Whether the rank has created threads.
bool has_threads();

// Switches to another thread.
void switch_thread(ThreadNumber number);
// The running thread has called MPI_Init, or a similar function.
void note_start_of_mpi();

// Ends the rank, as unsupported, if `function` belongs to a library whose threads wait for each other.
void refuse_teams(const void* function);
// Runs the function of a new thread; returns the number of the thread.
ThreadNumber run_thread(void* (*function)(void*), void* argument);
[[noreturn]] void end_thread(void* result);

// Ends the rank as unsupported, because it would wait for one of its own threads.
[[noreturn]] void refuse_waiting(const char* function);
// A thread sleeps, yields or reads the clock. A thread that does so many times waits for another.
void note_idling();

}  // namespace rehearse::smpi
