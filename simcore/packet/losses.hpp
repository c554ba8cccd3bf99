// SPDX-License-Identifier: MIT
//
// Rules of losses: of one link, and between two hosts.
//
// Meaning: rules are independent of each other: a packet is kept with the product of their probabilities. The date that
//          counts is the start of the transmission: on the link, or on the last link of the way between the hosts.
// Draws:   each link and each connection between the hosts of a rule counts its own packets, and draws from the
//          number of the packet. So the traffic elsewhere changes nothing.
// Units:   picoseconds; `error`: for each bit.
// Threads: none.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "simcore/packet/packet.hpp"
#include "simcore/packet_loss.hpp"
#include "simcore/platform.hpp"

namespace rehearse::packet {

struct LossRule {
  double loss = 0;   // of a packet
  double error = 0;  // of a bit
  TimeWindow window;
};

// The probability that a packet is not lost.
inline double kept_share(double loss, double error, std::uint32_t bytes) {
  return (1 - loss) * (error > 0 ? std::pow(1 - error, 8.0 * bytes) : 1);
}

inline double kept_share(const std::vector<LossRule>& rules, std::uint32_t bytes, Picoseconds start) {
  double kept = 1;
  for (const LossRule& rule : rules)
    if (rule.window.contains({start})) kept *= kept_share(rule.loss, rule.error, bytes);
  return kept;
}

// Losses between hosts, for each direction.
class PairLosses {
 public:
  explicit PairLosses(std::uint64_t seed) : seed_(seed) {}

  bool empty() const { return pairs_.empty(); }
  void add(HostId source, HostId destination, const LossRule& rule);
  // A path begins. `end`: its number in Paths, which an earlier path may have had.
  void open(std::uint32_t end, HostId source, HostId destination);
  // The next packet on the last link of the path.
  bool is_lost(std::uint32_t end, std::uint32_t bytes, Picoseconds start);

 private:
  struct Pair {
    std::vector<LossRule> rules;
    std::uint64_t paths = 0;  // that were opened
  };
  struct Path {
    const Pair* pair = nullptr;  // null: no rule
    std::uint64_t draw = 0;      // start of its random numbers
    std::uint64_t packets = 0;
  };

  std::uint64_t seed_;
  std::map<std::pair<HostId, HostId>, Pair> pairs_;
  std::vector<Path> paths_;  // by end
};

}  // namespace rehearse::packet
