// SPDX-License-Identifier: MIT
//
// The congestion window of a sender.
//
// Units:  bytes; windows are fractions of bytes too.
// Source: RFC 5681 and 6582 (reno, newreno), with byte counting of RFC 3465 without limit; RFC 9438 (cubic); RFC 8257
//         (dctcp); RFC 3168 (reaction of the others to marks).
#pragma once

#include <cstdint>
#include <limits>

#include "simcore/packet/parameters.hpp"

namespace rehearse::packet {

class CongestionWindow {
 public:
  void start(const Parameters& parameters);

  double bytes() const { return window_; }
  double threshold() const { return threshold_; }

  // So many bytes were acknowledged outside of a recovery.
  void grow(const Parameters& parameters, std::uint64_t acknowledged, Picoseconds round_trip, Picoseconds now);
  // A loss was detected. The window is the threshold.
  void reduce(const Parameters& parameters, std::uint64_t in_flight);
  // The timer has expired; `again`: without progress since the last time.
  void collapse(const Parameters& parameters, std::uint64_t in_flight, bool again);
  // NewReno without SACK: the window while segments are known to have left the network.
  void set_bytes(double bytes) { window_ = bytes; }
  void restart(const Parameters& parameters);
  // DCTCP: of each acknowledgement.
  void count_marks(std::uint64_t acknowledged, bool is_marked) {
    acknowledged_ += acknowledged;
    if (is_marked) marked_ += acknowledged;
  }
  // DCTCP: a window of data is acknowledged.
  void end_of_window();
  // Marks arrived, at most once for each window.
  void reduce_for_marks(const Parameters& parameters, std::uint64_t in_flight);

 private:
  static constexpr double cubic_c = 0.4, cubic_beta = 0.7, dctcp_gain = 1.0 / 16;

  bool is_fixed(const Parameters& parameters) const {
    return parameters.transport != Transport::tcp || parameters.congestion == Congestion::none;
  }
  double least(const Parameters& parameters) const { return 2.0 * parameters.payload(); }
  void grow_cubic(const Parameters& parameters, std::uint64_t acknowledged, Picoseconds round_trip, Picoseconds now);

  double window_ = 0;
  double threshold_ = std::numeric_limits<double>::infinity();
  // cubic, in segments
  double greatest_ = 0;          // W_max
  double before_ = 0;            // cwnd_prior
  double estimate_ = 0;          // W_est
  double period_ = 0;            // K, in seconds
  Picoseconds epoch_ = no_date;  // the start of congestion avoidance
  // dctcp
  double marked_share_ = 1;  // alpha
  std::uint64_t acknowledged_ = 0;
  std::uint64_t marked_ = 0;
};

}  // namespace rehearse::packet
