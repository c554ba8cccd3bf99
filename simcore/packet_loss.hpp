// SPDX-License-Identifier: MIT
//
// Losses of packets on chosen links or between chosen hosts, always or in a time window.
//
// Text:   HOST-HOST=PROBABILITY, from the first host to the second one; or links:REGEX=PROBABILITY, on each link in
//         whose name the regular expression matches. Then @FROM:TO, if they happen only in this window of simulated
//         time: in seconds, or with a unit such as ms. TO is the first date after it.
// Errors: the value, and what is accepted. Whether hosts and links exist is checked with the platform.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "simcore/support/result.hpp"
#include "simcore/time.hpp"

namespace rehearse {

struct TimeWindow {
  TimePoint from{0};
  TimePoint to{std::numeric_limits<std::int64_t>::max()};

  bool contains(TimePoint date) const { return from <= date && date < to; }
};

struct PacketLoss {
  std::string text;   // as given
  std::string hosts;  // HOST-HOST; empty: `links`
  std::string links;  // regular expression
  double probability = 0;
  TimeWindow window;
};

// FROM:TO.
Result<TimeWindow> parse_time_window(std::string_view text);

Result<PacketLoss> parse_packet_loss(const std::string& text);

}  // namespace rehearse
