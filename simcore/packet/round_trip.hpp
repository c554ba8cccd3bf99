// SPDX-License-Identifier: MIT
//
// The time after which a segment without acknowledgement is sent again.
//
// Source: RFC 6298, with Karn's rule: only segments that were sent once are measured, and a doubled timeout holds until
//         the next measurement.
#pragma once

#include <algorithm>

#include "simcore/packet/packet.hpp"

namespace rehearse::packet {

class RoundTrip {
 public:
  static constexpr Picoseconds first_timeout = 1'000'000'000'000;
  static constexpr Picoseconds longest_timeout = 120 * first_timeout;

  Picoseconds timeout() const { return timeout_; }
  Picoseconds smoothed() const { return smoothed_; }  // 0: not measured

  void measure(Picoseconds time, Picoseconds least_timeout) {
    if (smoothed_ == 0) {
      smoothed_ = std::max<Picoseconds>(time, 1);
      variation_ = time / 2;
    } else {
      variation_ += (std::abs(smoothed_ - time) - variation_) / 4;
      smoothed_ = std::max<Picoseconds>(smoothed_ + (time - smoothed_) / 8, 1);
    }
    timeout_ = std::clamp(smoothed_ + 4 * variation_, least_timeout, longest_timeout);
  }
  void back_off() { timeout_ = std::min(2 * timeout_, longest_timeout); }

 private:
  Picoseconds smoothed_ = 0;
  Picoseconds variation_ = 0;
  Picoseconds timeout_ = first_timeout;
};

}  // namespace rehearse::packet
