// SPDX-License-Identifier: MIT
//
// A sparse table from numbers to values, for values that few numbers have or that many neighbours have in common.
//
// Shape: disjoint ranges of numbers, each with one value. Numbers without a value need no memory. find() costs
//        O(log ranges).
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

  // Appends after all existing numbers. Neighbours with equal values share one range.
  void append(std::uint32_t number, T value) {
    if (!ranges_.empty() && ranges_.back().last == number && ranges_.back().value == value) ++ranges_.back().last;
    else ranges_.push_back(Range{number, number + 1, std::move(value)});
  }

  // Replaces the value of a number that has one. Its neighbours in the same range keep theirs.
  void replace(std::uint32_t number, T value) {
    const auto at = std::prev(std::upper_bound(ranges_.begin(), ranges_.end(), number, starts_after));
    const Range old = *at;
    std::vector<Range> parts;
    if (old.first < number) parts.push_back({old.first, number, old.value});
    parts.push_back({number, number + 1, std::move(value)});
    if (number + 1 < old.last) parts.push_back({number + 1, old.last, old.value});
    ranges_.insert(ranges_.erase(at), parts.begin(), parts.end());
  }

  const T* find(std::uint32_t number) const {
    const auto behind = std::upper_bound(ranges_.begin(), ranges_.end(), number, starts_after);
    if (behind == ranges_.begin() || std::prev(behind)->last <= number) return nullptr;
    return &std::prev(behind)->value;
  }

  // The value of this number and of all others of its range. Null: none.
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
