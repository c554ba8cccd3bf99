// SPDX-License-Identifier: MIT
//
// Optimal dynamic partial-order reduction (ODPOR): explores one execution of each Mazurkiewicz trace, that is, of all
// orders of steps that differ only in the order of independent steps. It begins no execution that it does not complete.
//
// Depth first. In a complete execution, a race is a pair of dependent steps of which the second could have come first.
// For each race, a sequence of steps that reverses it goes into the wakeup tree of the place before the first step.
// Steps that were explored from a place are in its sleep set: no execution equivalent to one that begins with them is
// begun there again.
//
// Departures: docs/soundness.md, "Orders of steps". A step that waits for a lock is disabled, instead of tried in vain.
//             Therefore races also include the earlier acquisition of that lock, and the steps that disable others.
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
  // Called for each complete execution; false stops.
  using Visitor = std::function<bool()>;
  // Asked before each step; false stops.
  using GoesOn = std::function<bool()>;

  explicit Odpor(Steps& steps) : steps_(steps) {}

  // False: visit or goes_on stopped it.
  bool run(const Visitor& visit, const GoesOn& goes_on);

  // The hash of the complete execution's trace: equal for executions that differ only in the order of independent
  // steps.
  history::Hash128 order() const;

  std::uint64_t taken() const { return taken_; }            // steps
  std::uint64_t abandoned() const { return abandoned_; }    // executions begun in vain: all their next steps sleep
  std::uint64_t impossible() const { return impossible_; }  // wakeup sequences with a step that was not possible

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  // A place in the current execution, and the step that is being explored from it.
  struct Place {
    std::vector<Step> list;      // the possible steps, then the steps that wait for a token
    std::vector<Step> sleeping;  // the sleep set: explored here or earlier, and independent of all steps since
    WakeupTree tree;             // its first branch is being explored
    Step step;
    std::size_t enabled_by = none;  // index of the step that enabled this one
    Past past;                      // the steps that happen before this one
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
  std::deque<Place> places_;  // those behind depth_ are spare
  std::size_t depth_ = 0;     // steps taken; places_[depth_] is the current place
  std::size_t fresh_ = 0;     // index of the first step that the previous complete execution did not have
  StepSequence sequence_;     // scratch, as the next two members
  std::vector<Step> others_;
  Past second_past_;  // of the last step of a sequence
  std::uint64_t taken_ = 0, abandoned_ = 0, impossible_ = 0;
};

}  // namespace rehearse::mc::reduction
