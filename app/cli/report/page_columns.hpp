// SPDX-License-Identifier: MIT
//
// The tables of a recording as columns of numbers, for a browser: intervals sorted by rank and date, messages by date.
//
// Shape:  equal (text, place, region, doing) and equal (destination, tag, context, bytes) are stored once, so that a
//         million intervals are 16 MB.
// Units:  picoseconds, as double; durations as float.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "app/recording.hpp"

namespace rehearse::cli {

struct PageColumns {
  std::vector<std::uint32_t> first;  // by rank: its first interval; one more at the end
  std::vector<double> begin;
  std::vector<float> duration;
  std::vector<std::uint32_t> kind;             // row of kinds
  std::vector<std::uint32_t> collective;       // empty: there are none
  std::vector<std::uint32_t> repeated, times;  // intervals that represent several, and the number of these
  std::vector<std::uint32_t> open;             // intervals that never ended
  std::vector<std::array<std::uint32_t, 4>> kinds;
  std::vector<std::uint32_t> new_number;  // of the recording's intervals

  std::vector<std::uint32_t> sender, receiver;  // intervals, or none
  std::vector<std::uint32_t> envelope;          // row of envelopes
  std::vector<double> sent;
  std::vector<float> flight;
  std::vector<std::array<double, 4>> envelopes;
};

PageColumns columns_of(const app::Recording& recording);

}  // namespace rehearse::cli
