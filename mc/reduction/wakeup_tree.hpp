// SPDX-License-Identifier: MIT
//
// Sequences of steps that are still to be explored from one place: an ordered tree whose branches lead to executions of
// different classes.
//
// Source: Abdulla, Aronis, Jonsson, Sagonas, "Source Sets: A Foundation for Optimal Dynamic Partial Order Reduction",
//         Journal of the ACM 64(4), 2017.
#pragma once

#include <cstdint>
#include <vector>

#include "mc/reduction/steps.hpp"

namespace rehearse::mc::reduction {

// Bits: the places in an execution whose steps happen before something.
using Past = std::vector<std::uint64_t>;

// A sequence of steps that can be taken from the place at hand, with the order that is forced between them. Steps, and
// what happens before them, stay where they are.
class StepSequence {
 public:
  void clear();
  bool empty() const { return left_ == 0; }

  // `at`: the step's place, after those of the steps so far.
  void push_back(const Step& step, std::size_t at, const Past& past);

  // Where the step is in the sequence if an equivalent one begins with it; nowhere if none does.
  std::size_t find_initial(const Step& step) const;
  static constexpr std::size_t nowhere = ~std::size_t{0};
  // Whether the step's doer does nothing here and it can change places with everything here.
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

  std::vector<Member> members_;  // those that were erased, too
  Past places_;                  // of those that are left
  std::size_t left_ = 0;
};

struct WakeupTree {
  struct Branch;
  std::vector<Branch> branches;  // in the order in which they are explored

  // Makes sure that an execution equivalent to one that begins with the sequence will be explored from here. The first
  // `taken` branches are being explored, and do not count. Uses the sequence up.
  void insert(StepSequence& sequence, std::size_t taken);
};

struct WakeupTree::Branch {
  Step step;
  WakeupTree rest;
};

}  // namespace rehearse::mc::reduction
