// SPDX-License-Identifier: MIT
//
// Functions by which threads wait for each other (rank_threads.hpp). libc's functions that try without waiting change
// the objects; the waits, and all of conditions and barriers, are ours.
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "smpi/per_rank.hpp"
#include "smpi/process/interposers.hpp"
#include "smpi/process/rank_threads.hpp"
#include "smpi/process/thread_waits.hpp"

namespace rehearse::smpi {
namespace {

constexpr double forever = std::numeric_limits<double>::infinity();

// Whether `until` got a value: the date, as a moment of the rank's threads.
bool to_moment(clockid_t clock, const timespec* date, double& until) {
  const auto seconds = seconds_until(clock, *date);
  if (seconds) until = moment_in(*seconds);
  return seconds.has_value();
}

// Tries until it is not busy, or until the time limit.
template <class Try>
int wait_until_free(const ThreadWait& wait, const Try& attempt) {
  note_idling();
  int status = attempt();
  while (status == EBUSY) {
    if (!wait_for(wait)) return ETIMEDOUT;
    status = attempt();
  }
  return status;
}

template <class Try>
int wait_until_free(const ThreadWait& wait, clockid_t clock, const timespec* date, const Try& attempt) {
  const int status = attempt();
  ThreadWait limited = wait;
  if (status != EBUSY) return status;
  if (!to_moment(clock, date, limited.until)) return EINVAL;
  return wait_until_free(limited, attempt);
}

// Lets a waiting thread have the object before its last owner can take it again.
void hand_over(const void* object) {
  if (!is_awaited(object)) return;
  wake(object, 1);
  yield_thread();
}

// ---- Mutexes. For libc, all threads of a rank are one thread, which owns each recursive or checking mutex.

bool has_owner(const pthread_mutex_t& mutex) {
  const int kind = mutex.__data.__kind & 3;
  return kind == PTHREAD_MUTEX_RECURSIVE_NP || kind == PTHREAD_MUTEX_ERRORCHECK_NP;
}

// Null: no thread holds it.
HeldMutex* find_held(const pthread_mutex_t* mutex) {
  RankThreads* threads = find_per_rank<RankThreads>();
  if (threads == nullptr) return nullptr;
  const auto found = std::ranges::find(threads->held, mutex, &HeldMutex::mutex);
  return found == threads->held.end() ? nullptr : &*found;
}

bool is_of_another(const pthread_mutex_t* mutex) {
  const HeldMutex* held = has_owner(*mutex) ? find_held(mutex) : nullptr;
  return held != nullptr && held->holder != per_rank<RankThreads>().running;
}

int note_locked(const pthread_mutex_t* mutex, int status) {
  if (status != 0 || !has_owner(*mutex)) return status;
  if (HeldMutex* held = find_held(mutex)) {
    ++held->times;
  } else {
    RankThreads& threads = per_rank<RankThreads>();
    threads.held.push_back({mutex, threads.running, 1});
  }
  return status;
}

int attempt_lock(pthread_mutex_t* mutex) {
  if (is_of_another(mutex)) return EBUSY;
  const bool checks = (mutex->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK_NP;
  if (checks && find_held(mutex) != nullptr) return EDEADLK;
  return note_locked(mutex, pthread_mutex_trylock(mutex));
}

int try_lock(pthread_mutex_t* mutex) {
  note_idling();
  const int status = attempt_lock(mutex);
  return status == EDEADLK ? EBUSY : status;
}

int lock_at(pthread_mutex_t* mutex, std::string_view function, const void* place) {
  return wait_until_free({mutex, function, place}, [=] { return attempt_lock(mutex); });
}

int lock(pthread_mutex_t* mutex) { return lock_at(mutex, "pthread_mutex_lock", __builtin_return_address(0)); }

int lock_in_time(pthread_mutex_t* mutex, const timespec* date) {
  return wait_until_free({mutex, "pthread_mutex_timedlock", __builtin_return_address(0)}, CLOCK_REALTIME, date,
                         [=] { return attempt_lock(mutex); });
}

int lock_by_clock(pthread_mutex_t* mutex, clockid_t clock, const timespec* date) {
  return wait_until_free({mutex, "pthread_mutex_clocklock", __builtin_return_address(0)}, clock, date,
                         [=] { return attempt_lock(mutex); });
}

int release(pthread_mutex_t* mutex) {
  if (is_of_another(mutex)) return EPERM;
  const int status = pthread_mutex_unlock(mutex);
  HeldMutex* held = status == 0 && has_owner(*mutex) ? find_held(mutex) : nullptr;
  if (held == nullptr) return status;
  if (--held->times > 0) return status;
  std::erase_if(per_rank<RankThreads>().held, [mutex](const HeldMutex& one) { return one.mutex == mutex; });
  return status;
}

int unlock(pthread_mutex_t* mutex) {
  pass_code_time();
  const int status = release(mutex);
  if (status == 0) hand_over(mutex);
  return status;
}

// glibc's mtx_t is its pthread_mutex_t.
pthread_mutex_t* inside(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }

int plain_status(int status) {
  return status == 0 ? thrd_success : status == EBUSY ? thrd_busy : status == ETIMEDOUT ? thrd_timedout : thrd_error;
}

int lock_plain(mtx_t* mutex) { return plain_status(lock_at(inside(mutex), "mtx_lock", __builtin_return_address(0))); }

int lock_plain_in_time(mtx_t* mutex, const timespec* date) {
  return plain_status(wait_until_free({inside(mutex), "mtx_timedlock", __builtin_return_address(0)}, CLOCK_REALTIME,
                                      date, [=] { return attempt_lock(inside(mutex)); }));
}

int try_lock_plain(mtx_t* mutex) { return plain_status(try_lock(inside(mutex))); }
int unlock_plain(mtx_t* mutex) { return plain_status(unlock(inside(mutex))); }

// ---- Conditions

// The mutex is free while the thread waits, and locked when it continues.
int wait_at(pthread_mutex_t* mutex, const ThreadWait& wait) {
  pass_code_time();
  if (const int status = release(mutex); status != 0) return status;
  wake(mutex, 1);
  const bool is_woken = wait_for(wait);
  if (const int status = lock_at(mutex, wait.function, wait.place); status != 0) return status;
  return is_woken ? 0 : ETIMEDOUT;
}

int wait_for_condition(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  return wait_at(mutex, {condition, "pthread_cond_wait", __builtin_return_address(0)});
}

int wait_for_plain_condition(cnd_t* condition, mtx_t* mutex) {
  return plain_status(wait_at(inside(mutex), {condition, "cnd_wait", __builtin_return_address(0)}));
}

int wait_until(pthread_mutex_t* mutex, ThreadWait wait, clockid_t clock, const timespec* date) {
  return to_moment(clock, date, wait.until) ? wait_at(mutex, wait) : EINVAL;
}

int wait_some_time(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* date) {
  constexpr unsigned is_monotonic = 2;  // pthread_condattr_setclock
  const clockid_t clock = condition->__data.__wrefs & is_monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME;
  return wait_until(mutex, {condition, "pthread_cond_timedwait", __builtin_return_address(0)}, clock, date);
}

int wait_by_clock(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* date) {
  return wait_until(mutex, {condition, "pthread_cond_clockwait", __builtin_return_address(0)}, clock, date);
}

int wait_some_time_plain(cnd_t* condition, mtx_t* mutex, const timespec* date) {
  return plain_status(
      wait_until(inside(mutex), {condition, "cnd_timedwait", __builtin_return_address(0)}, CLOCK_REALTIME, date));
}

int signal_one(void* condition) {
  pass_code_time();
  wake(condition, 1);
  return 0;
}

int signal_all(void* condition) {
  pass_code_time();
  wake(condition);
  return 0;
}

// ---- Semaphores

// The attempts of a wait do not show in errno.
int attempt_take(sem_t* semaphore) {
  const int before = errno;
  if (sem_trywait(semaphore) == 0) return 0;
  const int error = std::exchange(errno, before);
  return error == EAGAIN ? EBUSY : error;
}

int to_errno(int status) {
  if (status == 0) return 0;
  errno = status;
  return -1;
}

int wait_for_semaphore(sem_t* semaphore) {
  return to_errno(
      wait_until_free({semaphore, "sem_wait", __builtin_return_address(0)}, [=] { return attempt_take(semaphore); }));
}

int wait_for_semaphore_in_time(sem_t* semaphore, const timespec* date) {
  return to_errno(wait_until_free({semaphore, "sem_timedwait", __builtin_return_address(0)}, CLOCK_REALTIME, date,
                                  [=] { return attempt_take(semaphore); }));
}

int wait_for_semaphore_by_clock(sem_t* semaphore, clockid_t clock, const timespec* date) {
  return to_errno(wait_until_free({semaphore, "sem_clockwait", __builtin_return_address(0)}, clock, date,
                                  [=] { return attempt_take(semaphore); }));
}

int try_semaphore(sem_t* semaphore) {
  note_idling();
  return sem_trywait(semaphore);
}

int post(sem_t* semaphore) {
  pass_code_time();
  const int status = sem_post(semaphore);
  if (status == 0) wake(semaphore, 1);
  return status;
}

// ---- Barriers

int make_barrier(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes, unsigned threads) {
  const int status = pthread_barrier_init(barrier, attributes, threads);
  if (status == 0) per_rank<RankThreads>().barriers[barrier] = {threads};
  return status;
}

int destroy_barrier(pthread_barrier_t* barrier) {
  if (is_awaited(barrier)) return EBUSY;
  per_rank<RankThreads>().barriers.erase(barrier);
  return 0;
}

int wait_at_barrier(pthread_barrier_t* barrier) {
  pass_code_time();
  auto& barriers = per_rank<RankThreads>().barriers;
  const auto found = barriers.find(barrier);
  if (found == barriers.end()) return EINVAL;
  ThreadBarrier& state = found->second;
  if (++state.arrived == state.threads) {
    state.arrived = 0;
    ++state.round;
    wake(barrier);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  wait_for({barrier, "pthread_barrier_wait", __builtin_return_address(0)});
  return 0;
}

// ---- Locks for readers and writers, and spinning locks

int lock_to_read(pthread_rwlock_t* lock) {
  return wait_until_free({lock, "pthread_rwlock_rdlock", __builtin_return_address(0)},
                         [=] { return pthread_rwlock_tryrdlock(lock); });
}

int lock_to_read_in_time(pthread_rwlock_t* lock, const timespec* date) {
  return wait_until_free({lock, "pthread_rwlock_timedrdlock", __builtin_return_address(0)}, CLOCK_REALTIME, date,
                         [=] { return pthread_rwlock_tryrdlock(lock); });
}

int lock_to_read_by_clock(pthread_rwlock_t* lock, clockid_t clock, const timespec* date) {
  return wait_until_free({lock, "pthread_rwlock_clockrdlock", __builtin_return_address(0)}, clock, date,
                         [=] { return pthread_rwlock_tryrdlock(lock); });
}

int lock_to_write(pthread_rwlock_t* lock) {
  return wait_until_free({lock, "pthread_rwlock_wrlock", __builtin_return_address(0)},
                         [=] { return pthread_rwlock_trywrlock(lock); });
}

int lock_to_write_in_time(pthread_rwlock_t* lock, const timespec* date) {
  return wait_until_free({lock, "pthread_rwlock_timedwrlock", __builtin_return_address(0)}, CLOCK_REALTIME, date,
                         [=] { return pthread_rwlock_trywrlock(lock); });
}

int lock_to_write_by_clock(pthread_rwlock_t* lock, clockid_t clock, const timespec* date) {
  return wait_until_free({lock, "pthread_rwlock_clockwrlock", __builtin_return_address(0)}, clock, date,
                         [=] { return pthread_rwlock_trywrlock(lock); });
}

int unlock_shared(pthread_rwlock_t* lock) {
  pass_code_time();
  const int status = pthread_rwlock_unlock(lock);
  if (status != 0 || !is_awaited(lock)) return status;
  wake(lock);
  yield_thread();
  return status;
}

int lock_spinning(pthread_spinlock_t* lock) {
  return wait_until_free({const_cast<const int*>(lock), "pthread_spin_lock", __builtin_return_address(0)},
                         [=] { return pthread_spin_trylock(lock); });
}

int unlock_spinning(pthread_spinlock_t* lock) {
  pass_code_time();
  const int status = pthread_spin_unlock(lock);
  if (status == 0) hand_over(const_cast<const int*>(lock));
  return status;
}

// ---- Initialisation by one thread

enum Once : int { once_new = PTHREAD_ONCE_INIT, once_runs = 1, once_done = 2 };

// If the function throws, another thread tries again.
class RunningOnce {
 public:
  explicit RunningOnce(int& state) : state_(state) { state_ = once_runs; }
  ~RunningOnce() {
    if (state_ == once_runs) state_ = once_new;
    wake(&state_);
  }
  RunningOnce(const RunningOnce&) = delete;
  RunningOnce& operator=(const RunningOnce&) = delete;

 private:
  int& state_;
};

int run_once(int* state, void (*function)()) {
  pass_code_time();
  while (*state == once_runs) wait_for({state, "pthread_once", __builtin_return_address(0)});
  if (*state == once_done) return 0;
  const RunningOnce runs(*state);
  function();
  *state = once_done;
  return 0;
}

void run_plain_once(once_flag* flag, void (*function)()) { run_once(reinterpret_cast<int*>(flag), function); }

}  // namespace

// Function-local statics and atomic waits of the C++ library.
long rank_futex(int* word, int operation, int value, const timespec* limit) {
  pass_code_time();
  constexpr int command_mask = 0x7f, wait = 0, wake_up = 1, wait_bits = 9, wake_bits = 10;
  const int command = operation & command_mask;
  if (command == wake_up || command == wake_bits) {
    wake(word, static_cast<std::size_t>(std::max(value, 0)));
    return 0;
  }
  if (command != wait && command != wait_bits)
    fail_rank(FailureKind::unsupported, "unsupported.function", "syscall(SYS_futex, ...) with another operation");
  if (*word != value) return to_errno(EAGAIN);
  ThreadWait how{word, "an atomic wait", __builtin_return_address(0)};
  constexpr int calendar = 256;
  if (limit != nullptr && command == wait_bits) {
    if (!to_moment((operation & calendar) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC, limit, how.until))
      return to_errno(EINVAL);
  } else if (limit != nullptr) {
    how.until = moment_in(static_cast<double>(limit->tv_sec) + static_cast<double>(limit->tv_nsec) * 1e-9);
  }
  return wait_for(how) ? 0 : to_errno(ETIMEDOUT);
}

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
          {"pthread_cond_signal", function_address(signal_one)},
          {"pthread_cond_broadcast", function_address(signal_all)},
          {"cnd_wait", function_address(wait_for_plain_condition)},
          {"cnd_timedwait", function_address(wait_some_time_plain)},
          {"cnd_signal", function_address(signal_one)},
          {"cnd_broadcast", function_address(signal_all)},
          {"sem_wait", function_address(wait_for_semaphore)},
          {"sem_timedwait", function_address(wait_for_semaphore_in_time)},
          {"sem_clockwait", function_address(wait_for_semaphore_by_clock)},
          {"sem_trywait", function_address(try_semaphore)},
          {"sem_post", function_address(post)},
          {"pthread_barrier_init", function_address(make_barrier)},
          {"pthread_barrier_destroy", function_address(destroy_barrier)},
          {"pthread_barrier_wait", function_address(wait_at_barrier)},
          {"pthread_rwlock_rdlock", function_address(lock_to_read)},
          {"pthread_rwlock_timedrdlock", function_address(lock_to_read_in_time)},
          {"pthread_rwlock_clockrdlock", function_address(lock_to_read_by_clock)},
          {"pthread_rwlock_wrlock", function_address(lock_to_write)},
          {"pthread_rwlock_timedwrlock", function_address(lock_to_write_in_time)},
          {"pthread_rwlock_clockwrlock", function_address(lock_to_write_by_clock)},
          {"pthread_rwlock_unlock", function_address(unlock_shared)},
          {"pthread_spin_lock", function_address(lock_spinning)},
          {"pthread_spin_unlock", function_address(unlock_spinning)},
          {"pthread_once", function_address(run_once)},
          {"call_once", function_address(run_plain_once)}};
}

}  // namespace rehearse::smpi
