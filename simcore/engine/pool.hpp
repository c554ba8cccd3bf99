// SPDX-License-Identifier: MIT
//
// Objects that come and go all the time, named by small numbers that are used again.
//
// Ownership: the pool; references stay valid until the pool goes. Reset is the caller's business: an
//            object keeps what it was given, so that its buffers are used again.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

namespace rehearse::engine {

// T has `std::uint32_t index` and `bool is_live`.
template <class T>
class Pool {
 public:
  T& take() {
    if (free_.empty()) {
      const auto index = static_cast<std::uint32_t>(items_.size());
      items_.emplace_back().index = index;
      items_.back().is_live = true;
      return items_.back();
    }
    T& item = items_[free_.back()];
    free_.pop_back();
    item.is_live = true;
    return item;
  }

  void give_back(T& item) {
    item.is_live = false;
    free_.push_back(item.index);
  }

  T& operator[](std::uint32_t index) { return items_[index]; }

  template <class Visit>
  void for_each_live(Visit visit) {
    for (T& item : items_)
      if (item.is_live) visit(item);
  }

 private:
  std::deque<T> items_;
  std::vector<std::uint32_t> free_;
};

}  // namespace rehearse::engine
