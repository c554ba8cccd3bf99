// SPDX-License-Identifier: MIT
//
// Mutexes, semaphores, barriers and condition variables between actors of one simulation. None takes time.
//
// Order:     first come, first served.
// Ownership: ordinary objects of the program; each must outlive the actors that wait at it. Only actors can use them.
// Errors:    BadUse: unlocking a mutex that another actor holds, locking twice without `recursive`.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "simcore/actor_api/actor_handle.hpp"
#include "simcore/actor_api/shared_object.hpp"
#include "simcore/kernel/intrusive_list.hpp"
#include "simcore/time.hpp"
#include "simcore/way.hpp"

namespace rehearse::sim {

class Mutex : private SharedObject {
 public:
  enum Kind : std::uint8_t { plain, recursive };
  explicit Mutex(Kind kind = plain) : kind_(kind) {}
  ~Mutex();

  void lock();
  bool try_lock();
  void unlock();
  ActorHandle owner() const {
    kernel::strays();
    return ActorHandle(owner_);
  }

 private:
  friend class ConditionVariable;
  void hand_over();
  static void ask_lock(const void* mutex, const kernel::ActorRecord& self, Way& way);
  static void ask_try(const void* mutex, const kernel::ActorRecord& self, Way& way);
  static void ask_unlock(const void* mutex, const kernel::ActorRecord& self, Way& way);

  kernel::ListNode waiting_;
  kernel::ActorRecord* owner_ = nullptr;
  std::uint32_t depth_ = 0;
  Kind kind_;
};

class Semaphore : private SharedObject {
 public:
  explicit Semaphore(std::uint32_t capacity) : available_(capacity) {}

  void acquire();
  [[nodiscard]] bool acquire_timeout(double seconds);  // whether it was acquired in time
  bool try_acquire();
  void release();
  bool would_block() const { return capacity() == 0; }
  std::uint32_t capacity() const {
    kernel::strays();
    return available_;
  }

 private:
  static void ask_acquire(const void* semaphore, const kernel::ActorRecord& self, Way& way);
  static void ask_acquire_in_time(const void* semaphore, const kernel::ActorRecord& self, Way& way);
  static void ask_try(const void* semaphore, const kernel::ActorRecord& self, Way& way);
  static void ask_release(const void* semaphore, const kernel::ActorRecord& self, Way& way);
  std::int32_t tokens() const;  // negative: number of waiting actors
  kernel::ListNode waiting_;
  std::uint32_t available_;
};

// Can be used repeatedly.
class Barrier : private SharedObject {
 public:
  explicit Barrier(std::uint32_t participants);
  bool wait();  // until all have come; true for the last one

 private:
  static void ask_wait(const void* barrier, const kernel::ActorRecord& self, Way& way);
  kernel::ListNode waiting_;
  std::uint32_t participants_;
  std::uint32_t arrived_ = 0;
};

// No spurious wakeups. A killed actor leaves wait() without the mutex, and its lock does not own it.
class ConditionVariable : private SharedObject {
 public:
  void wait(std::unique_lock<Mutex>& lock);
  std::cv_status wait_for(std::unique_lock<Mutex>& lock, double seconds);
  std::cv_status wait_until(std::unique_lock<Mutex>& lock, double date);

  template <class Predicate>
  void wait(std::unique_lock<Mutex>& lock, Predicate done) {
    while (!done()) wait(lock);
  }
  // Returns the last value of the predicate.
  template <class Predicate>
  bool wait_until(std::unique_lock<Mutex>& lock, double date, Predicate done) {
    while (!done())
      if (wait_until(lock, date) == std::cv_status::timeout) return done();
    return true;
  }
  template <class Predicate>
  bool wait_for(std::unique_lock<Mutex>& lock, double seconds, Predicate done) {
    return wait_until(lock, date_in(seconds), std::move(done));
  }

  void notify_one();
  void notify_all();

 private:
  struct Waiting;  // the arguments of a wait
  static void ask_wait(const void* waiting, const kernel::ActorRecord& self, Way& way);
  static void ask_notify(const void* condition, const kernel::ActorRecord& self, Way& way);
  static double date_in(double seconds);
  bool wait_to(std::unique_lock<Mutex>& lock, TimePoint date);

  kernel::ListNode waiting_;
};

}  // namespace rehearse::sim
