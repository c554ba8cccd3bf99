// SPDX-License-Identifier: MIT
//
// Insertion into wakeup trees.
#include "mc/reduction/wakeup_tree.hpp"

#include <algorithm>

namespace rehearse::mc {

std::size_t StepSequence::find_initial(const Step& step) const {
  for (std::size_t i = 0; i < size(); ++i) {
    if (steps_[i]->who != step.who) continue;
    const bool is_first = std::none_of(before_[i].begin(), before_[i].end(), [](bool b) { return b; });
    return is_first && steps_[i]->is(step) ? i : size();
  }
  return size();
}

bool StepSequence::is_independent_of(const Step& step) const {
  return std::none_of(steps_.begin(), steps_.end(), [&](const Step* other) {
    return other->who == step.who || dependent(other->footprint, step.footprint);
  });
}

void StepSequence::erase(std::size_t i) {
  steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(i));
  before_.erase(before_.begin() + static_cast<std::ptrdiff_t>(i));
  for (std::size_t j = i; j < before_.size(); ++j)
    before_[j].erase(before_[j].begin() + static_cast<std::ptrdiff_t>(i));
}

void WakeupTree::insert(StepSequence sequence, std::size_t taken) {
  WakeupTree* at = this;
  bool is_leaf = false;
  while (!sequence.empty() && !is_leaf) {
    Branch* next = nullptr;
    for (std::size_t b = taken; b < at->branches.size() && next == nullptr; ++b) {
      Branch& branch = at->branches[b];
      if (const std::size_t i = sequence.find_initial(branch.step); i < sequence.size()) {
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
  if (is_leaf) return;  // everything that continues it is explored
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    at->branches.push_back({sequence[i], {}});
    at = &at->branches.back().rest;
  }
}

}  // namespace rehearse::mc
