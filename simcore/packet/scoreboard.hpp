// SPDX-License-Identifier: MIT
//
// The parts of a stream that arrived out of order: at the receiver, and as its sender knows them (SACK).
//
// Units:  bytes of the stream.
// Source: RFC 6675 (IsLost, pipe, NextSeg) with byte counts that are kept up to date, not summed up at each
//         acknowledgement.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace rehearse::packet {

struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// Disjoint ranges in order; neighbours are one.
class RangeList {
 public:
  bool empty() const { return ranges_.empty(); }
  const std::vector<Range>& ranges() const { return ranges_; }
  // The range that contains the new one.
  Range add(Range added);
  // Forgets all before `end`.
  void remove_before(std::uint64_t end);
  std::uint64_t bytes_in(Range range) const;
  // The first byte from `begin` on that is in no range.
  std::uint64_t first_missing(std::uint64_t begin) const;
  // The first byte from `begin` on that is in a range; nothing: none.
  std::optional<std::uint64_t> first_present(std::uint64_t begin) const;

 private:
  std::vector<Range>::const_iterator find(std::uint64_t place) const;
  std::vector<Range> ranges_;
};

class Scoreboard {
 public:
  bool empty() const { return blocks_.empty(); }
  std::uint64_t received() const { return received_; }
  std::uint64_t highest() const { return blocks_.empty() ? 0 : blocks_.ranges().back().end; }

  void add(Range block);
  // All before `to` is acknowledged.
  void advance(std::uint64_t acknowledged, std::uint64_t to);
  // Finds lost bytes: those with three blocks, or more than two segments, behind them.
  void find_lost(std::uint64_t acknowledged, std::uint32_t segment);
  void lose_before(std::uint64_t acknowledged, std::uint64_t end);
  std::uint64_t lost_before() const { return lost_before_; }
  bool is_lost(std::uint64_t place) const { return place < lost_before_; }

  std::uint64_t in_flight(std::uint64_t acknowledged, std::uint64_t sent) const {
    return sent - acknowledged - received_ - lost_ + repeated_;
  }
  // The next missing byte to send again; `presumed`: also those that are not known to be lost.
  std::optional<std::uint64_t> next_missing(std::uint64_t acknowledged, bool presumed) const;
  void note_repeated(std::uint64_t acknowledged, Range range);
  // Lost bytes may be sent once more.
  void forget_repeated() { repeated_ = repeated_before_ = 0; }
  // Up to the next block, so that nothing is sent twice.
  std::uint64_t end_of_hole(std::uint64_t begin, std::uint64_t end) const;
  void clear() { *this = {}; }

 private:
  std::uint64_t missing_in(Range range) const {
    return range.begin >= range.end ? 0 : range.end - range.begin - blocks_.bytes_in(range);
  }

  RangeList blocks_;
  std::uint64_t received_ = 0;         // in blocks
  std::uint64_t lost_before_ = 0;      // missing bytes before it are lost
  std::uint64_t lost_ = 0;             // their number
  std::uint64_t repeated_before_ = 0;  // missing bytes before it were sent again
  std::uint64_t repeated_ = 0;         // their number
};

}  // namespace rehearse::packet
