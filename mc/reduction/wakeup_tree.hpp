// SPDX-License-Identifier: MIT
//
// Sequences of steps that are still to be explored from one place: an ordered tree whose branches lead to executions of
// different classes.
//
// Source: Abdulla, Aronis, Jonsson, Sagonas, "Source Sets: A Foundation for Optimal Dynamic Partial Order Reduction",
//         Journal of the ACM 64(4), 2017.
#pragma once

#include <span>
#include <vector>

#include "mc/reduction/steps.hpp"

namespace rehearse::mc {

// A sequence of steps that can be taken from the place at hand, with the order that is forced between them.
class StepSequence {
 public:
  void clear() { steps_.clear(), before_.clear(); }
  bool empty() const { return steps_.empty(); }
  std::size_t size() const { return steps_.size(); }
  const Step& operator[](std::size_t i) const { return *steps_[i]; }

  // `before(i)` says whether the i-th step so far must come before this one.
  template <class Before>
  void push_back(const Step& step, Before&& before) {
    std::vector<bool> row(steps_.size());
    for (std::size_t i = 0; i < steps_.size(); ++i) row[i] = before(i);
    steps_.push_back(&step);
    before_.push_back(std::move(row));
  }

  // Where the step is in the sequence if an equivalent one begins with it; size() if none does.
  std::size_t find_initial(const Step& step) const;
  // Whether the step's doer does nothing here and it can change places with everything here.
  bool is_independent_of(const Step& step) const;
  void erase(std::size_t i);

 private:
  std::vector<const Step*> steps_;
  std::vector<std::vector<bool>> before_;
};

struct WakeupTree {
  struct Branch;
  std::vector<Branch> branches;  // in the order in which they are explored

  // Makes sure that an execution equivalent to one that begins with the sequence will be explored from here. The first
  // `taken` branches are being explored, and do not count.
  void insert(StepSequence sequence, std::size_t taken);
};

struct WakeupTree::Branch {
  Step step;
  WakeupTree rest;
};

}  // namespace rehearse::mc
