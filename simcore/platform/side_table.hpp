// SPDX-License-Identifier: MIT
//
// Values that few of many numbered things have, or many neighbours have in common.
//
// Shape: ranges of numbers, each with one value; a number lies in one range at most. Nothing is kept
//        for numbers without a value. find() costs O(log ranges).
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace rehearse::platform {

template <class T>
class SideTable {
 public:
  // Returns false, and leaves the table unchanged, if one of first .. last - 1 has a value.
  bool add(std::uint32_t first, std::uint32_t last, T value) {
    if (first >= last) return true;
    const auto behind = std::upper_bound(ranges_.begin(), ranges_.end(), first, starts_after);
    if (behind != ranges_.begin() && std::prev(behind)->last > first) return false;
    if (behind != ranges_.end() && behind->first < last) return false;
    ranges_.insert(behind, Range{first, last, std::move(value)});
    return true;
  }
  bool add(std::uint32_t number, T value) { return add(number, number + 1, std::move(value)); }

  // Behind all that is there; neighbours with equal values share one range.
  void append(std::uint32_t number, T value) {
    if (!ranges_.empty() && ranges_.back().last == number && ranges_.back().value == value) ++ranges_.back().last;
    else ranges_.push_back(Range{number, number + 1, std::move(value)});
  }

  const T* find(std::uint32_t number) const {
    const auto behind = std::upper_bound(ranges_.begin(), ranges_.end(), number, starts_after);
    if (behind == ranges_.begin() || std::prev(behind)->last <= number) return nullptr;
    return &std::prev(behind)->value;
  }

  // The value that this number, and with it the rest of its range, has. Null: none.
  T* change(std::uint32_t number) { return const_cast<T*>(std::as_const(*this).find(number)); }

 private:
  struct Range {
    std::uint32_t first;
    std::uint32_t last;
    T value;
  };
  static bool starts_after(std::uint32_t number, const Range& range) { return number < range.first; }

  std::vector<Range> ranges_;
};

}  // namespace rehearse::platform
