// SPDX-License-Identifier: MIT
//
// Events in the order of their dates, where no event comes before the one that was taken last.
//
// Shape:  a radix queue. A bucket has the events whose date first differs from the current one in the same digit, and
//         has the same value there. Events are moved at most once for each digit, so pushing and taking cost about as
//         much for ten events as for ten million, and memory is read in sequence.
// Order:  events of one date by their `order`, which is unique.
// Memory: storage of buckets that became empty is used again for the next ones.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "simcore/support/large_vector.hpp"

namespace rehearse::trace::log_gops {

struct Event {
  std::uint64_t date = 0;
  std::uint32_t order = 0;
  std::uint32_t what = 0;
};

class DateQueue {
 public:
  // `event.date` is later than that of the batch that was taken last.
  void push(const Event& event) {
    const auto highest = static_cast<unsigned>(std::bit_width(event.date ^ now_)) - 1;
    const unsigned level = highest / digit_bits;
    const auto slot = static_cast<unsigned>(event.date >> (level * digit_bits)) % slots;
    LargeVector<Event>& bucket = buckets_[level][slot];
    if (bucket.capacity() == 0) take_spare(bucket);
    bucket.push_back(event);
    filled_[level] |= std::uint64_t{1} << slot;
    filled_levels_ |= 1u << level;
  }

  // Replaces `batch` by all events of the next date; false: there are none.
  bool take(LargeVector<Event>& batch) {
    batch.clear();
    if (filled_levels_ == 0) return false;
    const auto level = static_cast<unsigned>(std::countr_zero(filled_levels_));
    const auto slot = static_cast<unsigned>(std::countr_zero(filled_[level]));
    filled_[level] &= filled_[level] - 1;
    if (filled_[level] == 0) filled_levels_ &= filled_levels_ - 1;
    LargeVector<Event>& bucket = buckets_[level][slot];
    if (level == 0) {
      batch.swap(bucket);
      now_ = batch.front().date;
    } else {
      now_ = std::ranges::min_element(bucket, {}, &Event::date)->date;
      for (const Event& event : bucket) {
        if (event.date == now_) batch.push_back(event);
        else push(event);
      }
      bucket.clear();
    }
    spare_.push_back(std::exchange(bucket, {}));
    if (!std::ranges::is_sorted(batch, {}, &Event::order)) std::ranges::sort(batch, {}, &Event::order);
    return true;
  }

 private:
  static constexpr unsigned digit_bits = 6, slots = 1u << digit_bits, levels = (64 + digit_bits - 1) / digit_bits;

  void take_spare(LargeVector<Event>& bucket) {
    if (spare_.empty()) return;
    bucket = std::move(spare_.back());
    spare_.pop_back();
  }

  std::uint64_t now_ = 0;
  std::uint32_t filled_levels_ = 0;
  std::array<std::uint64_t, levels> filled_{};
  std::array<std::array<LargeVector<Event>, slots>, levels> buckets_;
  std::vector<LargeVector<Event>> spare_;
};

}  // namespace rehearse::trace::log_gops
