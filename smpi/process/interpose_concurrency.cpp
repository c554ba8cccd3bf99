// SPDX-License-Identifier: MIT
//
// Creation of threads (rank_threads.hpp), and waits for their ends.
#include <pthread.h>
#include <threads.h>

#include <cerrno>
#include <cstdint>

#include "smpi/per_rank.hpp"
#include "smpi/process/interposers.hpp"
#include "smpi/process/rank_threads.hpp"
#include "smpi/process/thread_waits.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {
namespace {

// The thread that runs main() keeps libc's name, which is an address; the others are numbers.
RankThread* find_thread(pthread_t name) {
  const RankThreads* known = find_per_rank<RankThreads>();
  const auto number = static_cast<std::uint64_t>(name);
  if (known == nullptr || known->all.size() < 2) return nullptr;
  if (number >= 1 && number < known->all.size()) return known->all[number];
  RankThread* main = known->all.front();
  return number == reinterpret_cast<std::uint64_t>(main->thread_pointer) ? main : nullptr;
}

int make_and_name(pthread_t* name, const pthread_attr_t* attributes, void* (*function)(void*), void* argument) {
  refuse_teams(reinterpret_cast<const void*>(function));
  pass_code_time();
  report_outcomes_left_out("pthread_create, whose threads run in one fixed order");
  int state = PTHREAD_CREATE_JOINABLE;
  std::size_t stack_bytes = 0;
  if (attributes != nullptr) {
    pthread_attr_getdetachstate(attributes, &state);
    pthread_attr_getstacksize(attributes, &stack_bytes);
  }
  RankThread& thread = make_thread(function, argument, stack_bytes, true);
  thread.can_be_joined = state == PTHREAD_CREATE_JOINABLE;
  *name = thread.number;  // before the thread runs, which may read it
  start_thread(thread);
  return 0;
}

int create(pthread_t* name, const pthread_attr_t* attributes, void* (*function)(void*), void* argument) {
  return make_and_name(name, attributes, function, argument);
}

int join_until(pthread_t name, void** result, double until, std::string_view function, const void* place) {
  pass_code_time();
  RankThread* thread = find_thread(name);
  if (thread == nullptr) return has_threads() ? ESRCH : EDEADLK;
  if (thread == &running_thread()) return EDEADLK;
  if (!thread->can_be_joined) return EINVAL;
  while (thread->status != ThreadStatus::over)
    if (!wait_for({thread, function, place, until})) return ETIMEDOUT;
  thread->can_be_joined = false;
  if (result != nullptr) *result = thread->result;
  return 0;
}

int join_thread(pthread_t name, void** result) {
  return join_until(name, result, ThreadWait{}.until, "pthread_join", __builtin_return_address(0));
}

int join_thread_if_over(pthread_t name, void** result) {
  RankThread* thread = find_thread(name);
  if (thread == nullptr || thread->status != ThreadStatus::over) {
    note_idling();
    return EBUSY;
  }
  return join_until(name, result, ThreadWait{}.until, "pthread_tryjoin_np", nullptr);
}

int join_thread_by_clock(pthread_t name, void** result, clockid_t clock, const timespec* date) {
  const auto seconds = seconds_until(clock, *date);
  if (!seconds) return EINVAL;
  return join_until(name, result, moment_in(*seconds), "pthread_clockjoin_np", __builtin_return_address(0));
}

int join_thread_in_time(pthread_t name, void** result, const timespec* date) {
  const auto seconds = seconds_until(CLOCK_REALTIME, *date);
  if (!seconds) return EINVAL;
  return join_until(name, result, moment_in(*seconds), "pthread_timedjoin_np", __builtin_return_address(0));
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

// Libc's functions about a thread would read its descriptor, which ours do not have.
int name_thread(pthread_t name, const char* text) {
  return find_thread(name) != nullptr ? 0 : pthread_setname_np(name, text);
}

int give_attributes(pthread_t name, pthread_attr_t* attributes) {
  const RankThread* thread = find_thread(name);
  const RankState& rank = this_rank();
  const StackSpan& stack = thread == nullptr || thread->number == 0 ? rank.context.stack : thread->fiber.stack;
  if (const int error = pthread_attr_init(attributes); error != 0) return error;
  return pthread_attr_setstack(attributes, stack.bottom, stack.bytes());
}

// ---- C11

struct PlainThread {
  thrd_start_t function;
  void* argument;
};

void* run_plain(void* what) {
  const auto [function, argument] = *static_cast<PlainThread*>(what);
  delete static_cast<PlainThread*>(what);
  return reinterpret_cast<void*>(static_cast<std::intptr_t>(function(argument)));
}

int make_plain_thread(thrd_t* name, thrd_start_t function, void* argument) {
  refuse_teams(reinterpret_cast<const void*>(function));
  return make_and_name(name, nullptr, run_plain, new PlainThread{function, argument}) == 0 ? thrd_success : thrd_error;
}

int join_plain_thread(thrd_t name, int* result) {
  void* found = nullptr;
  if (join_until(name, &found, ThreadWait{}.until, "thrd_join", __builtin_return_address(0)) != 0) return thrd_error;
  if (result != nullptr) *result = static_cast<int>(reinterpret_cast<std::intptr_t>(found));
  return thrd_success;
}

int detach_plain_thread(thrd_t name) { return detach_thread(name) == 0 ? thrd_success : thrd_error; }
void end_plain_thread(int result) { end_thread(reinterpret_cast<void*>(static_cast<std::intptr_t>(result))); }

int yield() {
  pass_code_time();
  yield_thread();
  return 0;
}

void yield_plain() { yield(); }

}  // namespace

InterposerList concurrency_interposers() {
  return {{"pthread_create", function_address(create)},
          {"pthread_join", function_address(join_thread)},
          {"pthread_tryjoin_np", function_address(join_thread_if_over)},
          {"pthread_timedjoin_np", function_address(join_thread_in_time)},
          {"pthread_clockjoin_np", function_address(join_thread_by_clock)},
          {"pthread_detach", function_address(detach_thread)},
          {"pthread_self", function_address(own_name)},
          {"pthread_exit", function_address(end_thread)},
          {"pthread_setname_np", function_address(name_thread)},
          {"pthread_getattr_np", function_address(give_attributes)},
          {"thrd_create", function_address(make_plain_thread)},
          {"thrd_join", function_address(join_plain_thread)},
          {"thrd_detach", function_address(detach_plain_thread)},
          {"thrd_current", function_address(own_name)},
          {"thrd_exit", function_address(end_plain_thread)},
          {"sched_yield", function_address(yield)},
          {"pthread_yield", function_address(yield)},
          {"thrd_yield", function_address(yield_plain)}};
}

}  // namespace rehearse::smpi
