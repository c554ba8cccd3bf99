// SPDX-License-Identifier: MIT
//
// Critical sections and locks. The lock is a word: 0 if it is free.
#include "smpi/openmp/team.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process/thread_order.hpp"
#include "smpi/process/thread_waits.hpp"

namespace rehearse::smpi::openmp {
namespace {

struct CriticalWords {
  int unnamed = 0;
  int atomic = 0;
};

// As omp_nest_lock_t of GCC.
struct NestLock {
  int word;
  int times;
  void* owner;
};

void take(int* word, std::string_view function, const void* place) {
  note_idling();
  while (*word != 0) wait_for({.object = word, .function = function, .place = place});
  *word = 1;
  note_undecided("critical sections and locks");
  acquire_from(word);
}

void give(int* word) {
  pass_code_time();
  release_to(word);
  *word = 0;
  if (!is_awaited(word)) return;
  wake(word, 1);
  yield_thread();
}

bool attempt(int* word) {
  note_idling();
  note_undecided("critical sections and locks");
  if (*word != 0) return false;
  *word = 1;
  acquire_from(word);
  return true;
}

void begin_critical() {
  take(&per_rank<CriticalWords>().unnamed, "a critical section of OpenMP", __builtin_return_address(0));
}
void end_critical() { give(&per_rank<CriticalWords>().unnamed); }
void begin_atomic() { take(&per_rank<CriticalWords>().atomic, "an atomic of OpenMP", __builtin_return_address(0)); }
void end_atomic() { give(&per_rank<CriticalWords>().atomic); }

// The name is a pointer in the program, initially null.
void begin_named(void** name) {
  take(reinterpret_cast<int*>(name), "a critical section of OpenMP", __builtin_return_address(0));
}
void end_named(void** name) { give(reinterpret_cast<int*>(name)); }

void make_lock(int* word) { *word = 0; }
void destroy_lock(int*) {}
void set_lock(int* word) { take(word, "omp_set_lock", __builtin_return_address(0)); }
void unset_lock(int* word) { give(word); }
int test_lock(int* word) { return attempt(word) ? 1 : 0; }

// The owner is a task.
void make_nest_lock(NestLock* lock) { *lock = {}; }
void destroy_nest_lock(NestLock*) {}

void set_nest_lock(NestLock* lock) {
  void* task = self().task.get();
  if (lock->owner != task) {
    take(&lock->word, "omp_set_nest_lock", __builtin_return_address(0));
    lock->owner = task;
  }
  ++lock->times;
}

void unset_nest_lock(NestLock* lock) {
  if (--lock->times > 0) return;
  lock->owner = nullptr;
  give(&lock->word);
}

int test_nest_lock(NestLock* lock) {
  void* task = self().task.get();
  if (lock->owner != task && !attempt(&lock->word)) return 0;
  lock->owner = task;
  return ++lock->times;
}

// Fortran's nest lock is a pointer: a C one does not fit into it.
void make_fortran_nest_lock(NestLock** lock) { *lock = new NestLock{}; }
void destroy_fortran_nest_lock(NestLock** lock) { delete *lock; }
void set_fortran_nest_lock(NestLock** lock) { set_nest_lock(*lock); }
void unset_fortran_nest_lock(NestLock** lock) { unset_nest_lock(*lock); }
int test_fortran_nest_lock(NestLock** lock) { return test_nest_lock(*lock); }

}  // namespace

InterposerList lock_names() {
  return {{"GOMP_critical_start", function_address(begin_critical)},
          {"GOMP_critical_end", function_address(end_critical)},
          {"GOMP_critical_name_start", function_address(begin_named)},
          {"GOMP_critical_name_end", function_address(end_named)},
          {"GOMP_atomic_start", function_address(begin_atomic)},
          {"GOMP_atomic_end", function_address(end_atomic)},
          {"omp_init_lock", function_address(make_lock)},
          {"omp_destroy_lock", function_address(destroy_lock)},
          {"omp_set_lock", function_address(set_lock)},
          {"omp_unset_lock", function_address(unset_lock)},
          {"omp_test_lock", function_address(test_lock)},
          {"omp_init_nest_lock", function_address(make_nest_lock)},
          {"omp_destroy_nest_lock", function_address(destroy_nest_lock)},
          {"omp_set_nest_lock", function_address(set_nest_lock)},
          {"omp_unset_nest_lock", function_address(unset_nest_lock)},
          {"omp_test_nest_lock", function_address(test_nest_lock)},
          {"omp_init_lock_", function_address(make_lock)},
          {"omp_destroy_lock_", function_address(destroy_lock)},
          {"omp_set_lock_", function_address(set_lock)},
          {"omp_unset_lock_", function_address(unset_lock)},
          {"omp_test_lock_", function_address(test_lock)},
          {"omp_init_nest_lock_", function_address(make_fortran_nest_lock)},
          {"omp_destroy_nest_lock_", function_address(destroy_fortran_nest_lock)},
          {"omp_set_nest_lock_", function_address(set_fortran_nest_lock)},
          {"omp_unset_nest_lock_", function_address(unset_fortran_nest_lock)},
          {"omp_test_nest_lock_", function_address(test_fortran_nest_lock)}};
}

}  // namespace rehearse::smpi::openmp
