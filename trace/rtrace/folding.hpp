// SPDX-License-Identifier: MIT
//
// Folds loops: a list of row numbers as literal rows and copies of earlier ones. A copy that is longer than its
// distance is `repeat N`.
//
// Source: J. Ziv, A. Lempel, A universal algorithm for sequential data compression, 1977.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace/rtrace/bytes.hpp"

namespace rehearse::trace::rtrace {

// Requires: at most 65,536 rows.
void fold(std::span<const std::uint16_t> rows, Bytes& out);

// Gives the rows of a folded list one by one.
//
// Memory: as many rows as the greatest distance of a copy, so a loop takes as much memory as one turn.
class Unfolder {
 public:
  // False: malformed, not so many rows, or a row that is not below `limit`. `folded` must stay while rows are taken.
  bool load(std::span<const std::uint8_t> folded, std::size_t count, std::size_t limit);

  bool is_at_end() const { return left_ == 0; }
  // The next row, which stays the next one. Requires: not at the end.
  std::uint16_t peek() const { return next_; }
  std::uint16_t take() {
    const std::uint16_t row = next_;
    if (--left_ > 0) find_next();
    return row;
  }

 private:
  void find_next() {
    if (copies_ == 0 && literals_ == 0) begin_part();
    if (literals_ > 0) {
      --literals_;
      next_ = static_cast<std::uint16_t>(in_.get());
    } else {
      --copies_;
      next_ = recent_[(at_ - distance_) & mask_];
    }
    recent_[at_++ & mask_] = next_;
  }
  void begin_part();

  ByteReader in_;
  std::vector<std::uint16_t> recent_;  // the last rows, in a ring
  std::uint32_t mask_ = 0;
  std::uint32_t at_ = 0;  // number of rows that were found
  std::uint32_t left_ = 0;
  std::uint32_t literals_ = 0, copies_ = 0, distance_ = 0;  // of the part at hand
  bool is_copy_next_ = false;
  std::uint16_t next_ = 0;
};

}  // namespace rehearse::trace::rtrace
