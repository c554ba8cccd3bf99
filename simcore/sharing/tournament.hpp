// SPDX-License-Identifier: MIT
//
// Which of many slots has the first date: a tournament tree.
//
// Shape:   each node knows the winner of its two children, which is the slot with the lesser key. A new key takes one
//          comparison on each level, and no key moves. A slot that gets a late date is compared until it loses.
// Lazy:    the first slot is often cleared and then gets a new key. So a cleared slot stays in its nodes until the next
//          question or the next cleared slot; a node that still has it as its winner is wrong only until then.
// Cost:    of set() and clear(): up to log2 of the number of slots. Memory: 24 bytes a slot.
// Source:  D. E. Knuth, The Art of Computer Programming, volume 3, 5.4.1 (selection trees).
// Threads: none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "simcore/time.hpp"

namespace rehearse::sharing {

// By date; at the same date by an order number, so that runs are reproducible.
struct DateKey {
  TimePoint date;
  std::uint64_t order = 0;
};

class Tournament {
 public:
  using Slot = std::uint32_t;

  bool empty() const { return used_ == 0; }
  // These require: a slot is in use.
  Slot first() const {
    settle();
    return winners_[1];
  }
  TimePoint first_date() const { return TimePoint{dates_[first()]}; }
  // Whether no other slot has the first date.
  bool is_first_alone() const {
    const std::int64_t date = dates_[first()];
    for (std::uint32_t node = leaves() + first(); node > 1; node /= 2)
      if (dates_[winners_[node ^ 1]] == date) return false;
    return true;
  }

  // Slots are small numbers. `order`: less than the greatest number.
  void set(Slot slot, const DateKey& key) {
    if (slot >= leaves()) grow(slot);
    used_ += orders_[slot] == free_order;
    if (slot == cleared_) cleared_ = none;
    dates_[slot] = key.date.picoseconds;
    orders_[slot] = key.order;
    play(slot);
  }
  // Requires: the slot is in use.
  void clear(Slot slot) {
    settle();
    --used_;
    dates_[slot] = free_date;
    orders_[slot] = free_order;
    cleared_ = slot;
  }

 private:
  static constexpr std::int64_t free_date = std::numeric_limits<std::int64_t>::max();
  static constexpr std::uint64_t free_order = ~std::uint64_t{0};
  static constexpr Slot none = ~Slot{0};

  std::uint32_t leaves() const { return static_cast<std::uint32_t>(dates_.size()); }
  // Which of two dates is less cannot be predicted, so there is no branch for it. Equal dates are rare.
  Slot winner_of(Slot one, Slot other, const std::int64_t* dates) const {
    const std::int64_t date = dates[one], other_date = dates[other];
    if (date == other_date) [[unlikely]]
      return orders_[other] < orders_[one] ? other : one;
    return other_date < date ? other : one;
  }

  void settle() const {
    if (cleared_ == none) return;
    play(cleared_);
    cleared_ = none;
  }

  // The slot has a new key. A node whose winner is another slot, as before, changes nothing above it. That holds while
  // a slot is cleared, too: a node that differs from the winner of its children has the cleared slot as its winner.
  void play(Slot slot) const {
    // Local pointers save loads: a store could change the members, for all that the compiler knows.
    Slot* const winners = winners_.data();
    const std::int64_t* const dates = dates_.data();
    for (std::uint32_t node = (leaves() + slot) / 2; node > 0; node /= 2) {
      const Slot winner = winner_of(winners[2 * node], winners[2 * node + 1], dates);
      if (winner != slot && winner == winners[node]) return;
      winners[node] = winner;
    }
  }

  void grow(Slot slot) {
    std::uint32_t size = std::max(2u, leaves());
    while (size <= slot) size *= 2;
    dates_.resize(size, free_date);
    orders_.resize(size, free_order);
    winners_.resize(2 * size);
    for (std::uint32_t leaf = 0; leaf < size; ++leaf) winners_[size + leaf] = leaf;
    for (std::uint32_t node = size - 1; node > 0; --node)
      winners_[node] = winner_of(winners_[2 * node], winners_[2 * node + 1], dates_.data());
  }

  std::vector<std::int64_t> dates_;    // by slot, in picoseconds; the size is a power of two
  std::vector<std::uint64_t> orders_;  // by slot
  // Of the nodes, from 1: the children of k are 2k and 2k+1; the leaves are the slots.
  mutable std::vector<Slot> winners_;
  mutable Slot cleared_ = none;  // still in its nodes
  std::uint32_t used_ = 0;
};

}  // namespace rehearse::sharing
