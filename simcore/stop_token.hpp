// SPDX-License-Identifier: MIT
//
// A request to stop: a flag, a deadline, or both. Drivers, actors and timers hold copies.
//
// After a request, a program gives up the step of an actor that does not reach its next Operation
// (FailureKind::given_up). This is not a fault of the actor.
//
// std::stop_token cannot replace it: its state cannot be in memory that processes share, and it has no deadline.
//
// Threads: stop_requested() may be called at any moment, also in signal handlers.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>

namespace rehearse {

class StopToken {
 public:
  using Flag = std::shared_ptr<const std::atomic<bool>>;  // may be in memory that processes share
  using Clock = std::chrono::steady_clock;

  StopToken() = default;  // never stops
  explicit StopToken(Flag flag) : flag_(std::move(flag)) {}
  // The flag must outlive all copies.
  static StopToken watch(const std::atomic<bool>& flag) { return StopToken(Flag(Flag(), &flag)); }

  // The same request, made at `deadline` at the latest.
  StopToken until(Clock::time_point deadline) const {
    StopToken result = *this;
    if (deadline < result.deadline_) result.deadline_ = deadline;
    return result;
  }
  // The same, with a deadline `seconds` after `start`; without a deadline if that is centuries.
  StopToken until(Clock::time_point start, double seconds) const {
    if (!(seconds < max_seconds)) return *this;
    return until(start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)));
  }

  bool can_stop() const noexcept { return flag_ != nullptr || has_deadline(); }
  bool stop_requested() const noexcept {
    return (flag_ != nullptr && flag_->load(std::memory_order_relaxed)) || (has_deadline() && Clock::now() > deadline_);
  }

 private:
  static constexpr double max_seconds = 1e9;

  bool has_deadline() const noexcept { return deadline_ != Clock::time_point::max(); }

  static_assert(std::atomic<bool>::is_always_lock_free);
  Flag flag_;
  Clock::time_point deadline_ = Clock::time_point::max();
};

}  // namespace rehearse
