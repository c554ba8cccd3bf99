// SPDX-License-Identifier: MIT
//
// Threads that run the code of computations (Exec::set_code), while the simulation goes on.
//
// Protocol: begin() when a computation begins, complete() before anybody notices its end. Code that was begun always
//           runs, once. It runs in begin() itself if that is expected to be faster.
// Choice:   the cost of a hand-over to a thread and back is measured once. The time of code is measured in each run; a
//           moving average is kept for each type of function, that is for each lambda expression. Code is handed over
//           if the average exceeds the cost `margin` times. Who waits for code runs other code meanwhile.
// Order:    results do not depend on the choice: a computation ends at its simulated date, and complete() waits.
// Errors:   what the code throws is kept in Code::exception.
// Threads:  begin(), complete() and the rest belong to the thread of the simulation. The others see only Code.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <typeindex>
#include <unordered_map>
#include <vector>

#include "simcore/actor_api/simulation.hpp"
#include "simcore/kernel/code.hpp"
#include "simcore/kernel/intrusive_list.hpp"

namespace rehearse::sim::kernel {

struct ActorRecord;

class CodeWorkers {
 public:
  static constexpr double margin = 4;

  // `workers`: threads that run code, with that of the simulation. 1: no other thread, and no time is measured.
  // `counts`: use() counts runs. Otherwise the memory of the object can be as it was before.
  CodeWorkers(std::uint32_t workers, bool counts);
  ~CodeWorkers();  // all code must be complete
  CodeWorkers(const CodeWorkers&) = delete;
  CodeWorkers& operator=(const CodeWorkers&) = delete;

  // `has_time`: other events may happen before the computation ends.
  void begin(Code& code, bool has_time);
  void complete(Code& code);  // nothing to do for code that was not begun
  // For tests: without the choice.
  void always_hand_over() { always_ = true; }
  CodeUse use();

 private:
  bool pays(const Code& code);
  void start_threads();
  void hand_over(Code& code);
  void await(Code& code);
  void run_waiting(Code& code, std::unique_lock<std::mutex>& lock);  // that is in the queue
  void serve();                                                      // a thread
  void learn(const Code& code);

  std::uint32_t workers_;
  const bool counts_;
  bool always_ = false;
  CodeUse use_;
  std::unordered_map<std::type_index, double> averages_;  // seconds

  std::mutex mutex_;  // of the rest, and of code that was handed over and has not run
  std::condition_variable has_work_, has_ended_;
  ListNode queue_;
  bool is_over_ = false;
  std::uint64_t by_threads_ = 0;
  std::vector<std::thread> threads_;
};

// While it exists, the calling thread runs code of a computation: it is no actor, and may not use the actor API.
class RunningCode {
 public:
  RunningCode();
  ~RunningCode();
  RunningCode(const RunningCode&) = delete;
  RunningCode& operator=(const RunningCode&) = delete;

 private:
  ActorRecord* const actor_;
  const bool was_in_code_;
};

}  // namespace rehearse::sim::kernel
