// SPDX-License-Identifier: MIT
//
// DCQCN: the rate of an RDMA sender, which falls at notifications of congestion and rises with time and bytes.
//
// Shape:  nothing happens between two packets; the timers that have expired meanwhile are caught up with.
// Source: Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015, with its figures: 55 us for
//         both timers, 10 MB, 5 steps of fast recovery, 40 Mbit/s, g = 1/256; hyper increase of 400 Mbit/s and
//         notifications at least 50 us apart as in its implementation.
#pragma once

#include "simcore/packet/packet.hpp"

namespace rehearse::packet {

class RateControl {
 public:
  static constexpr Picoseconds notification_gap = 50'000'000;

  explicit RateControl(double line_bytes_per_second)
      : line_(line_bytes_per_second), rate_(line_bytes_per_second), target_(line_bytes_per_second) {}

  // Bytes per second on the wire.
  double rate() const { return rate_; }
  void notify(Picoseconds now);
  void send(std::uint32_t bytes, Picoseconds now);

 private:
  static constexpr Picoseconds period = 55'000'000;
  static constexpr double bytes_per_step = 10e6, additive = 5e6, hyper = 50e6, gain = 1.0 / 256;
  static constexpr int fast_steps = 5;

  void catch_up(Picoseconds now);
  void increase();

  double line_;
  double rate_;
  double target_;
  double share_ = 1;  // alpha
  double bytes_ = 0;
  Picoseconds increased_ = 0;  // dates up to which both timers are caught up with
  Picoseconds decayed_ = 0;
  int time_steps_ = 0;
  int byte_steps_ = 0;
};

}  // namespace rehearse::packet
