// SPDX-License-Identifier: MIT
//
// Mutexes, semaphores, barriers and condition variables between actors of one simulation. None takes time.
//
// Order:     first come, first served.
// Ownership: ordinary objects of the program; each must outlive those who wait at it, and is used by actors only.
// Errors:    BadUse: unlocking a mutex of somebody else, locking twice without `recursive`.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "simcore/actor_api/actor_handle.hpp"
#include "simcore/kernel/intrusive_list.hpp"
#include "simcore/time.hpp"

namespace rehearse::sim {

class Mutex {
 public:
  enum Kind : std::uint8_t { plain, recursive };
  explicit Mutex(Kind kind = plain) : kind_(kind) {}
  ~Mutex();

  void lock();
  bool try_lock();
  void unlock();
  ActorHandle owner() const { return ActorHandle(owner_); }

 private:
  friend class ConditionVariable;
  void hand_over();

  kernel::ListNode waiting_;
  kernel::ActorRecord* owner_ = nullptr;
  std::uint32_t depth_ = 0;
  std::uint32_t id_ = 0;  // given at the first use
  Kind kind_;
};

class Semaphore {
 public:
  explicit Semaphore(std::uint32_t capacity) : available_(capacity) {}

  void acquire();
  [[nodiscard]] bool acquire_timeout(double seconds);  // whether it was acquired in time
  bool try_acquire();
  void release();
  bool would_block() const { return available_ == 0; }
  std::uint32_t capacity() const { return available_; }

 private:
  kernel::ListNode waiting_;
  std::uint32_t available_;
  std::uint32_t id_ = 0;
};

// Can be used again and again.
class Barrier {
 public:
  explicit Barrier(std::uint32_t participants);
  bool wait();  // until all are there; true for the last one

 private:
  kernel::ListNode waiting_;
  std::uint32_t participants_;
  std::uint32_t arrived_ = 0;
  std::uint32_t id_ = 0;
};

// Wakes nobody without cause. A killed actor leaves wait() without the mutex, and its lock says so.
class ConditionVariable {
 public:
  void wait(std::unique_lock<Mutex>& lock);
  std::cv_status wait_for(std::unique_lock<Mutex>& lock, double seconds);
  std::cv_status wait_until(std::unique_lock<Mutex>& lock, double date);

  template <class Predicate>
  void wait(std::unique_lock<Mutex>& lock, Predicate done) {
    while (!done()) wait(lock);
  }
  // What the predicate says at the end.
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
  static double date_in(double seconds);
  bool wait_to(std::unique_lock<Mutex>& lock, TimePoint date);

  kernel::ListNode waiting_;
  std::uint32_t id_ = 0;
};

}  // namespace rehearse::sim
