// SPDX-License-Identifier: MIT
//
// Optimal dynamic partial-order reduction: of all orders of steps that differ only in the places of independent ones,
// one is explored, and none is begun that is not completed.
//
// Depth first. When an execution is complete, each of its races (two dependent steps of which the second could have
// come first) puts a sequence in which it does into the wakeup tree of the place before the first. What was explored
// from a place sleeps: nothing equivalent to a way through it is begun there again.
//
// Departures: docs/soundness.md, "Orders of steps". A lock that is waited for is not possible rather than tried in
//             vain; races with the lock that was taken before it, and with what disabled a step, are looked for, too.
// Source:  Abdulla, Aronis, Jonsson, Sagonas, "Source Sets: A Foundation for Optimal Dynamic Partial Order Reduction",
//          Journal of the ACM 64(4), 2017.
// Memory:  one execution and its wakeup trees, which can be exponential in the worst case.
// Threads: none.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "mc/history/history.hpp"
#include "mc/reduction/steps.hpp"
#include "mc/reduction/wakeup_tree.hpp"

namespace rehearse::mc::reduction {

class Odpor {
 public:
  // Called when nothing can happen any more; false stops.
  using Visitor = std::function<bool()>;
  // Asked before each step; false stops.
  using GoesOn = std::function<bool()>;

  explicit Odpor(Steps& steps) : steps_(steps) {}

  // Whether nobody stopped it.
  bool run(const Visitor& visit, const GoesOn& goes_on);

  // Of the execution that is complete: equal for those that differ only in the places of independent steps.
  history::Hash128 order() const;

  std::uint64_t taken() const { return taken_; }            // steps
  std::uint64_t abandoned() const { return abandoned_; }    // executions begun although equivalent ones had been
  std::uint64_t impossible() const { return impossible_; }  // sequences of which a step could not be taken

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  // A place, and the step that is being explored from it.
  struct Place {
    std::vector<Step> list;      // what can happen here, then what waits
    std::vector<Step> sleeping;  // what was explored from here or can change places with everything since it was
    WakeupTree tree;             // its first branch is being explored
    Step step;
    std::size_t enabled_by = none;  // the step that made this one possible
    Past past;
    bool is_begun = false;
  };

  bool enter();
  bool has_branch(Place& place);
  bool take_branch(Place& place);
  void leave_branch(Place& place);
  void find_past(std::size_t at);
  bool is_before(std::size_t first, std::size_t second) const {
    return places_[second].past[first / 64] >> (first % 64) & 1;
  }
  std::size_t enabler(std::size_t at, const Step& step) const;
  void find_races();
  void find_races_by_trying();
  void find_races_with(const Step& second, std::size_t at, std::size_t enabled_by);
  void find_disabled(std::size_t at);
  bool has_token_without(std::size_t first, const Step& second, std::size_t at) const;
  void reverse(std::size_t first, const Step& second, std::size_t second_at, std::size_t enabled_by);
  const std::vector<Step>& list_at(std::size_t at) const { return places_[at].list; }

  Steps& steps_;
  std::deque<Place> places_;  // those behind depth_ are used again
  std::size_t depth_ = 0;     // steps taken; places_[depth_] is where it is
  std::size_t fresh_ = 0;     // the first step that was not part of the last complete execution
  StepSequence sequence_;
  std::vector<Step> others_;
  Past second_past_;  // of the step that a sequence ends with
  std::uint64_t taken_ = 0, abandoned_ = 0, impossible_ = 0;
};

}  // namespace rehearse::mc::reduction
