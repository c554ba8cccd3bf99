// SPDX-License-Identifier: MIT
//
// Creation of threads, which run one after another (rank_threads.hpp), and waits for their ends.
#include <pthread.h>
#include <threads.h>

#include <cerrno>
#include <cstdint>

#include "smpi/per_rank.hpp"
#include "smpi/process/interposers.hpp"
#include "smpi/process/rank_threads.hpp"

namespace rehearse::smpi {
namespace {

RankThreads& threads() { return per_rank<RankThreads>(); }

// The thread that runs main() keeps libc's name, which is an address; the others are numbers.
RankThread* find_thread(pthread_t name) {
  const auto number = static_cast<std::uint64_t>(name);
  return has_threads() && number >= 1 && number <= threads().created.size() ? threads().created[number - 1] : nullptr;
}

int run_and_name(pthread_t* name, const pthread_attr_t* attributes, void* (*function)(void*), void* argument) {
  *name = threads().created.size() + 1;  // before the thread runs, which may read it
  RankThread& thread = *threads().created[run_thread(function, argument) - 1];
  int state = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) pthread_attr_getdetachstate(attributes, &state);
  thread.can_be_joined &= state == PTHREAD_CREATE_JOINABLE;
  return 0;
}

int make_thread(pthread_t* name, const pthread_attr_t* attributes, void* (*function)(void*), void* argument) {
  refuse_teams(reinterpret_cast<const void*>(function));
  return run_and_name(name, attributes, function, argument);
}

int join_thread(pthread_t name, void** result) {
  RankThread* thread = find_thread(name);
  if (thread == nullptr) {
    if (has_threads()) refuse_waiting("pthread_join");  // the thread of main(), or no thread
    return EDEADLK;
  }
  if (!thread->can_be_joined) return EINVAL;
  if (!thread->is_over) refuse_waiting("pthread_join");
  thread->can_be_joined = false;
  if (result != nullptr) *result = thread->result;
  return 0;
}

// All other threads are over by now, or are suspended and wait for this one.
int join_thread_if_over(pthread_t name, void** result) {
  const RankThread* thread = find_thread(name);
  return thread == nullptr || !thread->is_over ? EBUSY : join_thread(name, result);
}

int join_thread_in_time(pthread_t name, void** result, const timespec*) { return join_thread(name, result); }
int join_thread_by_clock(pthread_t name, void** result, clockid_t, const timespec*) {
  return join_thread(name, result);
}

int detach_thread(pthread_t name) {
  RankThread* thread = find_thread(name);
  if (thread == nullptr) return 0;
  if (!thread->can_be_joined) return EINVAL;
  thread->can_be_joined = false;
  return 0;
}

pthread_t own_name() {
  const RankThreads* all = find_per_rank<RankThreads>();
  return all == nullptr || all->running == 0 ? pthread_self() : all->running;
}

int name_thread(pthread_t name, const char* text) {
  return find_thread(name) != nullptr ? 0 : pthread_setname_np(name, text);
}

// ---- C11

struct PlainThread {
  thrd_start_t function;
  void* argument;
};

void* run_plain(void* what) {
  const auto [function, argument] = *static_cast<PlainThread*>(what);
  return reinterpret_cast<void*>(static_cast<std::intptr_t>(function(argument)));
}

int make_plain_thread(thrd_t* name, thrd_start_t function, void* argument) {
  PlainThread what{function, argument};
  refuse_teams(reinterpret_cast<const void*>(function));
  return run_and_name(name, nullptr, run_plain, &what) == 0 ? thrd_success : thrd_error;
}

int join_plain_thread(thrd_t name, int* result) {
  void* found = nullptr;
  if (join_thread(name, &found) != 0) return thrd_error;
  if (result != nullptr) *result = static_cast<int>(reinterpret_cast<std::intptr_t>(found));
  return thrd_success;
}

int detach_plain_thread(thrd_t name) { return detach_thread(name) == 0 ? thrd_success : thrd_error; }
void end_plain_thread(int result) { end_thread(reinterpret_cast<void*>(static_cast<std::intptr_t>(result))); }

// No other thread runs before this one ends.
int yield() {
  note_idling();
  return 0;
}

void yield_plain() { yield(); }

}  // namespace

InterposerList concurrency_interposers() {
  return {{"pthread_create", function_address(make_thread)},
          {"pthread_join", function_address(join_thread)},
          {"pthread_tryjoin_np", function_address(join_thread_if_over)},
          {"pthread_timedjoin_np", function_address(join_thread_in_time)},
          {"pthread_clockjoin_np", function_address(join_thread_by_clock)},
          {"pthread_detach", function_address(detach_thread)},
          {"pthread_self", function_address(own_name)},
          {"pthread_exit", function_address(end_thread)},
          {"pthread_setname_np", function_address(name_thread)},
          {"thrd_create", function_address(make_plain_thread)},
          {"thrd_join", function_address(join_plain_thread)},
          {"thrd_detach", function_address(detach_plain_thread)},
          {"thrd_current", function_address(own_name)},
          {"thrd_exit", function_address(end_plain_thread)},
          {"sched_yield", function_address(yield)},
          {"thrd_yield", function_address(yield_plain)}};
}

}  // namespace rehearse::smpi
