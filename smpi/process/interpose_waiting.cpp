// SPDX-License-Identifier: MIT
//
// Functions by which threads wait for each other. A rank's threads run one after another (rank_threads.hpp), so a
// thread that has to wait would wait forever, or until its time limit. In a rank without threads, libc's function runs:
// the rank would wait for itself, and the step limit ends it.
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

#include <algorithm>
#include <cerrno>

#include "smpi/per_rank.hpp"
#include "smpi/process/interposers.hpp"
#include "smpi/process/rank_threads.hpp"

namespace rehearse::smpi {
namespace {

int refuse_if_busy(int status, const char* function) {
  if (status == EBUSY) refuse_waiting(function);
  return status;
}

// ---- Mutexes. For libc, all threads of a rank are one thread, which may lock a recursive mutex several times.

bool is_recursive(const pthread_mutex_t& mutex) { return (mutex.__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE_NP; }

// Null: no thread holds it.
HeldMutex* find_held(const pthread_mutex_t* mutex) {
  RankThreads* threads = find_per_rank<RankThreads>();
  if (threads == nullptr) return nullptr;
  const auto found = std::ranges::find(threads->held, mutex, &HeldMutex::mutex);
  return found == threads->held.end() ? nullptr : &*found;
}

bool is_of_another(const pthread_mutex_t* mutex) {
  const HeldMutex* held = is_recursive(*mutex) ? find_held(mutex) : nullptr;
  return held != nullptr && held->holder != per_rank<RankThreads>().running;
}

int note_locked(const pthread_mutex_t* mutex, int status) {
  if (status != 0 || !is_recursive(*mutex)) return status;
  if (HeldMutex* held = find_held(mutex)) {
    ++held->times;
  } else {
    RankThreads& threads = per_rank<RankThreads>();
    threads.held.push_back({mutex, threads.running, 1});
  }
  return status;
}

int try_lock(pthread_mutex_t* mutex) {
  return is_of_another(mutex) ? EBUSY : note_locked(mutex, pthread_mutex_trylock(mutex));
}

template <class Lock>
int lock_with(pthread_mutex_t* mutex, const char* function, const Lock& lock) {
  return has_threads() ? refuse_if_busy(try_lock(mutex), function) : note_locked(mutex, lock());
}

int lock(pthread_mutex_t* mutex) {
  return lock_with(mutex, "pthread_mutex_lock", [=] { return pthread_mutex_lock(mutex); });
}

int lock_in_time(pthread_mutex_t* mutex, const timespec* until) {
  return lock_with(mutex, "pthread_mutex_timedlock", [=] { return pthread_mutex_timedlock(mutex, until); });
}

int lock_by_clock(pthread_mutex_t* mutex, clockid_t clock, const timespec* until) {
  return lock_with(mutex, "pthread_mutex_clocklock", [=] { return pthread_mutex_clocklock(mutex, clock, until); });
}

int unlock(pthread_mutex_t* mutex) {
  if (is_of_another(mutex)) return EPERM;
  const int status = pthread_mutex_unlock(mutex);
  HeldMutex* held = status == 0 && is_recursive(*mutex) ? find_held(mutex) : nullptr;
  if (held != nullptr && --held->times == 0)
    std::erase_if(per_rank<RankThreads>().held, [mutex](const HeldMutex& one) { return one.mutex == mutex; });
  return status;
}

// glibc's mtx_t is its pthread_mutex_t.
pthread_mutex_t* inside(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }

int plain_status(int status) {
  return status == 0 ? thrd_success : status == EBUSY ? thrd_busy : status == ETIMEDOUT ? thrd_timedout : thrd_error;
}

int lock_plain(mtx_t* mutex) {
  return plain_status(lock_with(inside(mutex), "mtx_lock", [=] { return pthread_mutex_lock(inside(mutex)); }));
}

int lock_plain_in_time(mtx_t* mutex, const timespec* until) {
  const auto lock = [=] { return pthread_mutex_timedlock(inside(mutex), until); };
  return plain_status(lock_with(inside(mutex), "mtx_timedlock", lock));
}

int try_lock_plain(mtx_t* mutex) { return plain_status(try_lock(inside(mutex))); }
int unlock_plain(mtx_t* mutex) { return plain_status(unlock(inside(mutex))); }

// ---- Conditions. No other thread can signal, so only the time limit can end a wait.

int wait_for_condition(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  if (has_threads()) refuse_waiting("pthread_cond_wait");
  return pthread_cond_wait(condition, mutex);
}

int wait_for_plain_condition(cnd_t* condition, mtx_t* mutex) {
  if (has_threads()) refuse_waiting("cnd_wait");
  return cnd_wait(condition, mutex);
}

int wait_until(const char* function, clockid_t clock, const timespec* date) {
  if (has_threads()) refuse_waiting(function);
  return sleep_until(clock, *date) ? ETIMEDOUT : EINVAL;
}

int wait_some_time(pthread_cond_t* condition, pthread_mutex_t*, const timespec* until) {
  constexpr unsigned is_monotonic = 2;  // pthread_condattr_setclock
  const clockid_t clock = condition->__data.__wrefs & is_monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME;
  return wait_until("pthread_cond_timedwait", clock, until);
}

int wait_by_clock(pthread_cond_t*, pthread_mutex_t*, clockid_t clock, const timespec* until) {
  return wait_until("pthread_cond_clockwait", clock, until);
}

int wait_some_time_plain(cnd_t*, mtx_t*, const timespec* until) {
  return plain_status(wait_until("cnd_timedwait", CLOCK_REALTIME, until));
}

// ---- Semaphores

template <class Wait>
int take(sem_t* semaphore, const char* function, const Wait& wait) {
  if (!has_threads()) return wait();
  if (sem_trywait(semaphore) == 0) return 0;
  if (errno != EAGAIN) return -1;
  refuse_waiting(function);
}

int wait_for_semaphore(sem_t* semaphore) {
  return take(semaphore, "sem_wait", [=] { return sem_wait(semaphore); });
}

int wait_for_semaphore_in_time(sem_t* semaphore, const timespec* until) {
  return take(semaphore, "sem_timedwait", [=] { return sem_timedwait(semaphore, until); });
}

int wait_for_semaphore_by_clock(sem_t* semaphore, clockid_t clock, const timespec* until) {
  return take(semaphore, "sem_clockwait", [=] { return sem_clockwait(semaphore, clock, until); });
}

// ---- Barriers and other locks

int wait_at_barrier(pthread_barrier_t* barrier) {
  if (has_threads()) refuse_waiting("pthread_barrier_wait");
  return pthread_barrier_wait(barrier);
}

int lock_to_read(pthread_rwlock_t* lock) {
  if (!has_threads()) return pthread_rwlock_rdlock(lock);
  return refuse_if_busy(pthread_rwlock_tryrdlock(lock), "pthread_rwlock_rdlock");
}

int lock_to_read_in_time(pthread_rwlock_t* lock, const timespec* until) {
  if (!has_threads()) return pthread_rwlock_timedrdlock(lock, until);
  return refuse_if_busy(pthread_rwlock_tryrdlock(lock), "pthread_rwlock_timedrdlock");
}

int lock_to_read_by_clock(pthread_rwlock_t* lock, clockid_t clock, const timespec* until) {
  if (!has_threads()) return pthread_rwlock_clockrdlock(lock, clock, until);
  return refuse_if_busy(pthread_rwlock_tryrdlock(lock), "pthread_rwlock_clockrdlock");
}

int lock_to_write(pthread_rwlock_t* lock) {
  if (!has_threads()) return pthread_rwlock_wrlock(lock);
  return refuse_if_busy(pthread_rwlock_trywrlock(lock), "pthread_rwlock_wrlock");
}

int lock_to_write_in_time(pthread_rwlock_t* lock, const timespec* until) {
  if (!has_threads()) return pthread_rwlock_timedwrlock(lock, until);
  return refuse_if_busy(pthread_rwlock_trywrlock(lock), "pthread_rwlock_timedwrlock");
}

int lock_to_write_by_clock(pthread_rwlock_t* lock, clockid_t clock, const timespec* until) {
  if (!has_threads()) return pthread_rwlock_clockwrlock(lock, clock, until);
  return refuse_if_busy(pthread_rwlock_trywrlock(lock), "pthread_rwlock_clockwrlock");
}

int lock_spinning(pthread_spinlock_t* lock) {
  if (!has_threads()) return pthread_spin_lock(lock);
  return refuse_if_busy(pthread_spin_trylock(lock), "pthread_spin_lock");
}

}  // namespace

InterposerList waiting_interposers() {
  return {{"pthread_mutex_lock", function_address(lock)},
          {"pthread_mutex_timedlock", function_address(lock_in_time)},
          {"pthread_mutex_clocklock", function_address(lock_by_clock)},
          {"pthread_mutex_trylock", function_address(try_lock)},
          {"pthread_mutex_unlock", function_address(unlock)},
          {"mtx_lock", function_address(lock_plain)},
          {"mtx_timedlock", function_address(lock_plain_in_time)},
          {"mtx_trylock", function_address(try_lock_plain)},
          {"mtx_unlock", function_address(unlock_plain)},
          {"pthread_cond_wait", function_address(wait_for_condition)},
          {"pthread_cond_timedwait", function_address(wait_some_time)},
          {"pthread_cond_clockwait", function_address(wait_by_clock)},
          {"cnd_wait", function_address(wait_for_plain_condition)},
          {"cnd_timedwait", function_address(wait_some_time_plain)},
          {"sem_wait", function_address(wait_for_semaphore)},
          {"sem_timedwait", function_address(wait_for_semaphore_in_time)},
          {"sem_clockwait", function_address(wait_for_semaphore_by_clock)},
          {"pthread_barrier_wait", function_address(wait_at_barrier)},
          {"pthread_rwlock_rdlock", function_address(lock_to_read)},
          {"pthread_rwlock_timedrdlock", function_address(lock_to_read_in_time)},
          {"pthread_rwlock_clockrdlock", function_address(lock_to_read_by_clock)},
          {"pthread_rwlock_wrlock", function_address(lock_to_write)},
          {"pthread_rwlock_timedwrlock", function_address(lock_to_write_in_time)},
          {"pthread_rwlock_clockwrlock", function_address(lock_to_write_by_clock)},
          {"pthread_spin_lock", function_address(lock_spinning)}};
}

}  // namespace rehearse::smpi
