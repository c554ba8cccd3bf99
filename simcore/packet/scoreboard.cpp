// SPDX-License-Identifier: MIT
//
// See scoreboard.hpp.
#include "simcore/packet/scoreboard.hpp"

#include <algorithm>

namespace rehearse::packet {

// The first range that ends after the place.
std::vector<Range>::const_iterator RangeList::find(std::uint64_t place) const {
  return std::upper_bound(ranges_.begin(), ranges_.end(), place,
                          [](std::uint64_t value, const Range& range) { return value < range.end; });
}

Range RangeList::add(Range added) {
  auto first = std::lower_bound(ranges_.begin(), ranges_.end(), added.begin,
                                [](const Range& range, std::uint64_t value) { return range.end < value; });
  auto last = first;
  for (; last != ranges_.end() && last->begin <= added.end; ++last) {
    added.begin = std::min(added.begin, last->begin);
    added.end = std::max(added.end, last->end);
  }
  if (first == last) {
    ranges_.insert(first, added);
  } else {
    *first = added;
    ranges_.erase(first + 1, last);
  }
  return added;
}

void RangeList::remove_before(std::uint64_t end) {
  const auto kept = find(end);
  ranges_.erase(ranges_.begin(), kept);
  if (!ranges_.empty()) ranges_.front().begin = std::max(ranges_.front().begin, end);
}

std::uint64_t RangeList::bytes_in(Range range) const {
  std::uint64_t bytes = 0;
  for (auto at = find(range.begin); at != ranges_.end() && at->begin < range.end; ++at)
    bytes += std::min(at->end, range.end) - std::max(at->begin, range.begin);
  return bytes;
}

std::uint64_t RangeList::first_missing(std::uint64_t begin) const {
  const auto at = find(begin);
  return at == ranges_.end() || at->begin > begin ? begin : at->end;
}

std::optional<std::uint64_t> RangeList::first_present(std::uint64_t begin) const {
  const auto at = find(begin);
  if (at == ranges_.end()) return std::nullopt;
  return std::max(at->begin, begin);
}

void Scoreboard::add(Range block) {
  const std::uint64_t fresh = missing_in(block);
  if (fresh == 0) return;
  lost_ -= missing_in({block.begin, std::min(block.end, lost_before_)});
  repeated_ -= missing_in({block.begin, std::min(block.end, repeated_before_)});
  received_ += fresh;
  blocks_.add(block);
}

void Scoreboard::advance(std::uint64_t acknowledged, std::uint64_t to) {
  if (lost_before_ > acknowledged) lost_ -= missing_in({acknowledged, std::min(to, lost_before_)});
  if (repeated_before_ > acknowledged) repeated_ -= missing_in({acknowledged, std::min(to, repeated_before_)});
  if (blocks_.empty()) return;
  received_ -= blocks_.bytes_in({acknowledged, to});
  blocks_.remove_before(to);
}

void Scoreboard::find_lost(std::uint64_t acknowledged, std::uint32_t segment) {
  std::uint64_t behind = 0;
  int blocks = 0;
  const std::vector<Range>& ranges = blocks_.ranges();
  for (auto range = ranges.rbegin(); range != ranges.rend(); ++range) {
    behind += range->end - range->begin;
    ++blocks;
    if (blocks >= 3 || behind > 2 * std::uint64_t{segment}) return lose_before(acknowledged, range->begin);
  }
}

void Scoreboard::lose_before(std::uint64_t acknowledged, std::uint64_t end) {
  if (end <= lost_before_) return;
  lost_ += missing_in({std::max(acknowledged, lost_before_), end});
  lost_before_ = end;
}

std::optional<std::uint64_t> Scoreboard::next_missing(std::uint64_t acknowledged, bool presumed) const {
  const std::uint64_t place = blocks_.first_missing(std::max(acknowledged, repeated_before_));
  return place < (presumed ? highest() : lost_before_) ? std::optional(place) : std::nullopt;
}

void Scoreboard::note_repeated(std::uint64_t acknowledged, Range range) {
  if (range.end <= repeated_before_) return;
  repeated_ += missing_in({std::max({acknowledged, repeated_before_, range.begin}), range.end});
  repeated_before_ = range.end;
}

std::uint64_t Scoreboard::end_of_hole(std::uint64_t begin, std::uint64_t end) const {
  const auto present = blocks_.first_present(begin);
  return present ? std::min(end, *present) : end;
}

}  // namespace rehearse::packet
