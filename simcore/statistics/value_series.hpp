// SPDX-License-Identifier: MIT
//
// A value over time: a point for each change, while there is room. Then neighbours become one point, with the mean over
// its time, the least and the greatest value; from then on, changes within this time are one point.
//
// Protocol: dates do not go back.
// Threads:  none.
#pragma once

#include <cstdint>
#include <vector>

#include "simcore/packet/packet.hpp"
#include "simcore/packet_statistics.hpp"

namespace rehearse::statistics {

using packet::Picoseconds;

class ValueSeries {
 public:
  explicit ValueSeries(std::uint32_t points_max) : most_(points_max) {}

  // The value from this date on.
  void note(Picoseconds date, double value);
  bool empty() const { return points_.empty(); }
  // At most as many points as permitted. The last one has the final value, at the end.
  std::vector<SeriesPoint> finish(Picoseconds end);

 private:
  struct Point {
    Picoseconds date;
    double sum;  // of value times picoseconds
    double least, greatest;
  };

  void pass(Picoseconds date);
  void end_merged(Picoseconds date);
  void merge();

  std::uint32_t most_;
  std::vector<Point> points_;
  Picoseconds width_ = 0;  // of a merged point; 0: none is merged
  Picoseconds since_ = 0;
  double value_ = 0;
};

}  // namespace rehearse::statistics
