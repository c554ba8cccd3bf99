// SPDX-License-Identifier: MIT
//
// See code_workers.hpp.
#include "simcore/kernel/code_workers.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <system_error>

namespace rehearse::sim::kernel {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double shortest = 2e-6;       // seconds: no hand-over is faster
constexpr double weight = 1.0 / 8;      // of the latest run in the average
constexpr double most_at_once = 16;     // times the average: a run that the machine interrupted counts for no more
constexpr std::size_t hand_overs = 15;  // that are measured

Code& code_at(ListNode& place) { return owner_of<Code, CodePlace>(place); }
ListNode& place_of(Code& code) { return static_cast<Hook<CodePlace>&>(code); }

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

void run_code(Code& code) {
  const RunningCode guard;
  try {
    code.function();
  } catch (...) {
    code.exception = std::current_exception();
  }
}

void run_and_measure(Code& code) {
  const Clock::time_point begin = Clock::now();
  run_code(code);
  code.seconds = seconds_since(begin);
}

}  // namespace

CodeWorkers::CodeWorkers(std::uint32_t workers, bool counts)
    : workers_(workers != 0 ? workers : std::max(1u, std::thread::hardware_concurrency())), counts_(counts) {}

CodeWorkers::~CodeWorkers() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  has_work_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void CodeWorkers::begin(Code& code, bool has_time) {
  code.exception = nullptr;
  if (counts_) ++use_.runs;
  if (workers_ == 1) return run_code(code);
  if (has_time && pays(code)) return hand_over(code);
  run_and_measure(code);
  learn(code);
}

bool CodeWorkers::pays(const Code& code) {
  const auto known = averages_.find(code.function.target_type());
  const double average = known != averages_.end() ? known->second : 0;
  if (!always_ && average < margin * shortest) return false;
  if (threads_.empty()) start_threads();
  return workers_ > 1 && (always_ || average > margin * use_.hand_over_seconds);
}

// Fewer threads than wanted are no error. Measures the cost of a hand-over: the lower quartile of some, because
// the machine may be busy.
void CodeWorkers::start_threads() {
  try {
    while (threads_.size() + 1 < workers_) threads_.emplace_back([this] { serve(); });
  } catch (const std::system_error&) {
    workers_ = static_cast<std::uint32_t>(threads_.size()) + 1;
    if (workers_ == 1) return;
  }
  std::array<double, hand_overs> costs;
  Code nothing;
  nothing.function = [] {};
  for (double& cost : costs) {
    const Clock::time_point begin = Clock::now();
    hand_over(nothing);
    std::unique_lock lock(mutex_);
    has_ended_.wait(lock, [&] { return nothing.has_run; });
    cost = seconds_since(begin);
  }
  std::ranges::nth_element(costs, costs.begin() + hand_overs / 4);
  use_.hand_over_seconds = std::max(shortest, costs[hand_overs / 4]);
}

void CodeWorkers::hand_over(Code& code) {
  code.is_handed_over = true;
  {
    const std::lock_guard lock(mutex_);
    code.has_run = false;
    queue_.push_back(place_of(code));
  }
  has_work_.notify_one();
}

void CodeWorkers::complete(Code& code) {
  if (!code.is_handed_over) return;
  {
    std::unique_lock lock(mutex_);
    if (place_of(code).is_linked()) run_waiting(code, lock);
    while (!code.has_run)
      if (queue_.empty()) has_ended_.wait(lock);
      else run_waiting(code_at(*queue_.next), lock);
  }
  code.is_handed_over = false;
  learn(code);
}

void CodeWorkers::run_waiting(Code& code, std::unique_lock<std::mutex>& lock) {
  place_of(code).unlink();
  lock.unlock();
  run_and_measure(code);
  lock.lock();
  code.has_run = true;
}

void CodeWorkers::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    has_work_.wait(lock, [&] { return is_over_ || !queue_.empty(); });
    if (queue_.empty()) return;
    run_waiting(code_at(*queue_.next), lock);
    ++by_threads_;
    has_ended_.notify_one();
  }
}

void CodeWorkers::learn(const Code& code) {
  const auto [known, is_new] = averages_.try_emplace(code.function.target_type(), code.seconds);
  double& average = known->second;
  if (!is_new) average += weight * (std::min(code.seconds, most_at_once * average) - average);
}

CodeUse CodeWorkers::use() {
  CodeUse use = use_;
  const std::lock_guard lock(mutex_);
  if (!threads_.empty()) use.runs_by_threads = by_threads_ - hand_overs;
  return use;
}

}  // namespace rehearse::sim::kernel
