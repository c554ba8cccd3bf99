// SPDX-License-Identifier: MIT
//
// Insertion into wakeup trees.
#include "mc/reduction/wakeup_tree.hpp"

#include <algorithm>

namespace rehearse::mc::reduction {

void StepSequence::clear() {
  members_.clear();
  places_.clear();
  left_ = 0;
}

void StepSequence::push_back(const Step& step, std::size_t at, const Past& past) {
  members_.push_back({step.who, at, &step, &past});
  if (places_.size() <= at / 64) places_.resize(at / 64 + 1);
  places_[at / 64] |= std::uint64_t{1} << (at % 64);
  ++left_;
}

std::size_t StepSequence::find_initial(const Step& step) const {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const Member& member = members_[i];
    if (member.who != step.who || !is_left(member.at)) continue;
    if (!member.step->is(step)) return nowhere;
    for (std::size_t word = 0; word < std::min(member.past->size(), places_.size()); ++word)
      if (((*member.past)[word] & places_[word]) != 0) return nowhere;
    return i;
  }
  return nowhere;
}

bool StepSequence::is_independent_of(const Step& step) const {
  return std::ranges::none_of(members_, [&](const Member& other) {
    return is_left(other.at) && (other.who == step.who || dependent(other.step->footprint, step.footprint));
  });
}

void StepSequence::erase(std::size_t i) {
  const std::size_t at = members_[i].at;
  places_[at / 64] &= ~(std::uint64_t{1} << (at % 64));
  --left_;
}

void WakeupTree::insert(StepSequence& sequence, std::size_t taken) {
  WakeupTree* at = this;
  bool is_leaf = false;
  while (!sequence.empty() && !is_leaf) {
    Branch* next = nullptr;
    for (std::size_t b = taken; b < at->branches.size() && next == nullptr; ++b) {
      Branch& branch = at->branches[b];
      if (const std::size_t i = sequence.find_initial(branch.step); i != StepSequence::nowhere) {
        sequence.erase(i);
        next = &branch;
      } else if (sequence.is_independent_of(branch.step)) {
        next = &branch;
      }
    }
    if (next == nullptr) break;
    at = &next->rest;
    taken = 0;
    is_leaf = at->branches.empty();
  }
  if (is_leaf) return;  // all continuations of a leaf are explored
  sequence.for_each([&at](const Step& step) {
    at->branches.push_back({step, {}});
    at = &at->branches.back().rest;
  });
}

}  // namespace rehearse::mc::reduction
