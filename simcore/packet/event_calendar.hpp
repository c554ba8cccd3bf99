// SPDX-License-Identifier: MIT
//
// The earliest of many dates that lie close together, as those of packets do. Events at the same date have the order in
// which they were asked for.
//
// Shape:  days of equal length. The events of today are sorted, those that are added today are a heap, those of the
//         next days are lists, and those after them are another heap. A heap alone moves each event along a path
//         through memory that is as long as the logarithm of their number. The length of a day follows the density of
//         events; a day has a few of them.
// Source: R. Brown, Calendar queues: a fast O(1) priority queue implementation, CACM 31 (1988).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "simcore/packet/event_heap.hpp"

namespace rehearse::packet {

class EventCalendar {
 public:
  bool empty() const { return today_.empty() && added_.empty(); }
  const Event& top() const { return is_added_ ? added_.top() : today_.back(); }
  Picoseconds next_date() const { return empty() ? no_date : top().date; }

  // Of any date, also one before the earliest.
  void push(const Event& event) {
    if (empty()) day_ = day_of(event);
    const std::int64_t ahead = day_of(event) - day_;
    if (ahead <= 0) add_to_today(event);
    else if (ahead < days) add_to_day(event);
    else push_later(event);
  }

  void pop() {
    if (is_added_) added_.pop();
    else today_.pop_back();
    if (empty()) [[unlikely]]
      turn_page();
    find_top();
  }

  // As pop() and push().
  void replace_top(const Event& event) {
    if (day_of(event) > day_) {
      pop();
      return push(event);
    }
    if (!is_added_) today_.pop_back();
    else added_.pop();
    add_to_today(event);
  }

 private:
  static constexpr std::int64_t days = 1024;
  static constexpr std::uint32_t pages_between_checks = 4096;

  std::int64_t day_of(const Event& event) const { return event.date >> shift_; }

  void find_top() { is_added_ = !added_.empty() && (today_.empty() || added_.top().is_before(today_.back())); }

  void add_to_today(const Event& event) {
    added_.push(event);
    find_top();
  }

  void push_later(const Event& event) {
    ++late_;
    later_.push(event);
  }

  void add_to_day(const Event& event) {
    const auto place = static_cast<std::size_t>(day_of(event) % days);
    lists_[place].push_back(event);
    has_events_[place / 64] |= std::uint64_t{1} << place % 64;
  }

  // To the next day with events.
  void turn_page() {
    if (++pages_ == pages_between_checks) check_length();
    const std::int64_t listed = next_listed_day();
    const std::int64_t later = later_.empty() ? none : day_of(later_.top());
    const std::int64_t next = std::min(listed, later);
    if (next == none) return;
    day_ = next;
    if (next == listed) {
      const auto place = static_cast<std::size_t>(next % days);
      has_events_[place / 64] &= ~(std::uint64_t{1} << place % 64);
      today_.swap(lists_[place]);
      lists_[place].clear();
    }
    for (; !later_.empty() && day_of(later_.top()) == day_; later_.pop()) today_.push_back(later_.top());
    std::ranges::sort(today_, [](const Event& one, const Event& other) { return other.is_before(one); });
    taken_ += today_.size();
  }

  std::int64_t next_listed_day() const {
    const std::int64_t first = day_ + 1;
    const auto start = static_cast<std::size_t>(first % days);
    for (std::size_t i = 0; i <= has_events_.size(); ++i) {
      const std::size_t word = (start / 64 + i) % has_events_.size();
      std::uint64_t bits = has_events_[word];
      if (i == 0) bits &= ~std::uint64_t{0} << start % 64;
      if (bits == 0) continue;
      const std::size_t place = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
      return first + static_cast<std::int64_t>((place + days - start) % days);
    }
    return none;
  }

  void check_length() {
    const std::uint64_t mean = taken_ / pages_;
    const bool is_too_short = late_ > taken_ / 4;  // the lists have too few of the events
    const bool was_too_short = std::exchange(was_too_short_, is_too_short);
    pages_ = 0;
    taken_ = late_ = 0;
    if (mean < least_of_day || is_too_short) set_shift(shift_ + 1);
    else if (mean > most_of_day && !was_too_short) set_shift(shift_ - 1);
  }

  // Requires: no events today.
  void set_shift(int shift) {
    if (shift < 0 || shift > longest_shift) return;
    std::vector<Event> events = later_.all();
    for (auto& list : lists_) {
      events.insert(events.end(), list.begin(), list.end());
      list.clear();
    }
    has_events_ = {};
    later_.clear();
    const Picoseconds begin = (day_ + 1) << shift_;
    shift_ = shift;
    day_ = (begin >> shift_) - 1;
    for (const Event& event : events) {
      if (day_of(event) - day_ < days) add_to_day(event);
      else later_.push(event);
    }
  }

  static constexpr std::int64_t none = INT64_MAX;
  static constexpr std::uint64_t least_of_day = 4;
  static constexpr std::uint64_t most_of_day = 16;
  static constexpr int longest_shift = 44;

  int shift_ = 20;  // a day has so many bits of the date
  std::int64_t day_ = 0;
  // The events of today and earlier ones; none only if there are no events at all.
  std::vector<Event> today_;  // the earliest one comes last
  EventHeap added_;           // since the day began
  bool is_added_ = false;     // the earliest of all is in added_
  std::array<std::vector<Event>, days> lists_;
  std::array<std::uint64_t, days / 64> has_events_{};
  EventHeap later_;
  std::uint32_t pages_ = 0;
  std::uint64_t taken_ = 0;
  std::uint64_t late_ = 0;
  bool was_too_short_ = false;
};

}  // namespace rehearse::packet
