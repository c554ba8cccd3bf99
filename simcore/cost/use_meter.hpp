// SPDX-License-Identifier: MIT
//
// Reports the work of activities on hosts and links to an observer: the progress of each activity between two dates,
// times its coefficient on each resource.
//
// Changes:  it reads the progress of activities and changes none: dates are the same with and without it.
// Cost:     nothing without an observer; otherwise a look at each activity in progress for each sample.
// Threads:  none.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simcore/cost/cost_state.hpp"
#include "simcore/cost/slot_table.hpp"
#include "simcore/use_observer.hpp"

namespace rehearse::cost {

class UseMeter {
 public:
  UseMeter(CostState& state, SlotTable& slots) : state_(state), slots_(slots) {}

  void start(UseObserver& observer) { observer_ = &observer; }
  bool is_on() const { return observer_ != nullptr; }

  // Before the date changes to `until`.
  void pass(TimePoint until) {
    if (observer_ != nullptr) sample_until(until);
  }

  void report_all();  // up to now

  // ---- the activity of a slot
  void open(std::uint32_t slot, const sharing::Work& work, TimePoint now);
  // Before it gets other coefficients, and then with them.
  void settle(std::uint32_t slot, TimePoint now);
  void change(std::uint32_t slot, std::span<const sharing::Use> uses, std::span<const sharing::Use> meters,
              TimePoint now);
  void close(std::uint32_t slot, TimePoint now);  // before it is cancelled
  void end(std::uint32_t slot);                   // it has done all of its work

 private:
  struct Part {
    bool is_link = false;
    std::uint32_t id = 0;  // of the host or link
    double coefficient = 0;
  };
  struct Entry {
    std::uint32_t slot = 0;
    std::uint32_t category = 0;
    double amount = 0;  // of work, at its start
    double left = 0;    // as reported
    TimePoint since;    // of the last report
    std::vector<Part> parts;
  };

  void sample_until(TimePoint until);
  void report(Entry& entry, double left, TimePoint now);
  void add_parts(Entry& entry, std::span<const sharing::Use> uses, TimePoint now);
  Entry* find(std::uint32_t slot);
  void remove(std::uint32_t slot);

  CostState& state_;
  SlotTable& slots_;
  UseObserver* observer_ = nullptr;
  std::vector<Entry> entries_;  // of activities in progress; those from `count_` on are kept for their memory
  std::size_t count_ = 0;
  std::vector<std::uint32_t> places_;  // by slot: its entry, or none
};

}  // namespace rehearse::cost
