// SPDX-License-Identifier: MIT
//
// Bytes by slices of time. When the slices do not reach a date, each two become one of twice the width, so their sums
// are exact.
//
// Threads: none.
#pragma once

#include <cstdint>
#include <vector>

#include "simcore/packet/packet.hpp"
#include "simcore/packet_statistics.hpp"

namespace rehearse::statistics {

using packet::Picoseconds;

class RateSeries {
 public:
  // An even number.
  explicit RateSeries(std::uint32_t slices_max) : most_(slices_max) {}

  // Spread evenly over the time.
  void add(Picoseconds from, Picoseconds until, double bytes);
  Picoseconds width() const { return width_; }
  // Until its slices have at least this width, and reach the date.
  void widen(Picoseconds width, Picoseconds date);
  // Bytes per second by slice, up to the end.
  std::vector<float> rates(Picoseconds end) const;
  // The same as points, without repetitions; the last one is at the end.
  std::vector<SeriesPoint> finish(Picoseconds end);

 private:
  void double_width();

  std::uint32_t most_;
  std::vector<double> bytes_;
  Picoseconds width_ = 1000;
};

}  // namespace rehearse::statistics
