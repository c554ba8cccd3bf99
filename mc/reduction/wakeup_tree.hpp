// SPDX-License-Identifier: MIT
//
// Wakeup trees: the sequences of steps that remain to be explored from one place, as an ordered tree whose branches
// lead to executions of different traces.
//
// Source: Abdulla, Aronis, Jonsson, Sagonas, "Source Sets: A Foundation for Optimal Dynamic Partial Order Reduction",
//         Journal of the ACM 64(4), 2017.
#pragma once

#include <cstdint>
#include <vector>

#include "mc/reduction/steps.hpp"

namespace rehearse::mc::reduction {

// A set of places in an execution, as bits: the steps that happen before a given step.
using Past = std::vector<std::uint64_t>;

// A sequence of steps that can be taken from a place, with the happens-before order between them. Points to the steps
// and their pasts, which must outlive it.
class StepSequence {
 public:
  void clear();
  bool empty() const { return left_ == 0; }

  // `at`: the place of the step in the execution; larger than those of the steps so far.
  void push_back(const Step& step, std::size_t at, const Past& past);

  // The index of the step if it is an initial of the sequence: an equivalent sequence begins with it. Otherwise
  // nowhere.
  std::size_t find_initial(const Step& step) const;
  static constexpr std::size_t nowhere = ~std::size_t{0};
  // Whether the step is a weak initial without being in the sequence: its doer has no step here, and it is independent
  // of all steps here.
  bool is_independent_of(const Step& step) const;
  void erase(std::size_t i);

  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const Member& member : members_)
      if (is_left(member.at)) visit(*member.step);
  }

 private:
  struct Member {
    std::uint64_t who;
    std::size_t at;
    const Step* step;
    const Past* past;
  };

  bool is_left(std::size_t at) const { return places_[at / 64] >> (at % 64) & 1; }

  std::vector<Member> members_;  // including the erased ones
  Past places_;                  // of the members that are not erased
  std::size_t left_ = 0;         // number of members that are not erased
};

struct WakeupTree {
  struct Branch;
  std::vector<Branch> branches;  // in the order in which they are explored

  // Makes sure that an execution equivalent to one that begins with the sequence is explored from here. Ignores the
  // first `taken` branches, which are being explored. Erases steps of the sequence.
  void insert(StepSequence& sequence, std::size_t taken);
};

struct WakeupTree::Branch {
  Step step;
  WakeupTree rest;
};

}  // namespace rehearse::mc::reduction
