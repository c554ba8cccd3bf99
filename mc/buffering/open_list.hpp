// SPDX-License-Identifier: MIT
//
// A list of open items in order. Items are added at the end. Settled items are skipped at the front, and removed when
// they are half of all. Adding and settling take constant time each.
#pragma once

#include <cstddef>
#include <vector>

namespace rehearse::mc::buffering {

template <class T>
class OpenList {
 public:
  void clear() {
    items_.clear();
    head_ = settled_ = 0;
  }
  void add(const T& item) { items_.push_back(item); }

  // To be called after one item has been settled. It may move items, so do not call it during an iteration.
  template <class IsSettled>
  void note_settled(IsSettled is_settled) {
    if (++settled_ * 2 <= items_.size()) return;
    std::erase_if(items_, is_settled);
    head_ = settled_ = 0;
  }

  // Skips settled items at the front. Iteration still visits settled items in the middle.
  template <class IsSettled>
  void skip_settled(IsSettled is_settled) {
    while (head_ < items_.size() && is_settled(items_[head_])) ++head_;
  }

  auto begin() const { return items_.begin() + static_cast<std::ptrdiff_t>(head_); }
  auto end() const { return items_.end(); }

 private:
  std::vector<T> items_;
  std::size_t head_ = 0;
  std::size_t settled_ = 0;
};

}  // namespace rehearse::mc::buffering
