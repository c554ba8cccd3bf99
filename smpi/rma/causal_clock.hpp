// SPDX-License-Identifier: MIT
//
// The events of all ranks that happened before a moment of one rank.
//
// Shape:  a vector clock over the operations of the ranks; and for each way (an origin, a target, a window) the number
//         of accesses of the origin that are known to be over at the target. `effects` has further accesses that are
//         known to have taken effect, although earlier ones of their way may not.
// Source: L. Lamport, Time, Clocks and the Ordering of Events in a Distributed System, CACM 21 (1978); C. Fidge,
//         Timestamps in Message-Passing Systems That Preserve the Partial Ordering (1988).
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace rehearse::smpi {

struct AccessWay {
  std::uint64_t context = 0;  // of the window
  std::uint32_t origin = 0;
  std::uint32_t target = 0;
  auto operator<=>(const AccessWay&) const = default;
};

// The k-th access on its way, from 1 on.
struct AccessName {
  AccessWay way;
  std::uint64_t number = 0;
  auto operator<=>(const AccessName&) const = default;
};

struct CausalClock {
  std::vector<std::uint64_t> steps;         // by rank: number of its operations
  std::map<AccessWay, std::uint64_t> over;  // number of accesses that are over at their target
  std::set<AccessName> effects;

  void join(const CausalClock& other) {
    if (steps.size() < other.steps.size()) steps.resize(other.steps.size());
    for (std::size_t i = 0; i < other.steps.size(); ++i) steps[i] = std::max(steps[i], other.steps[i]);
    for (const auto& [way, number] : other.over) {
      std::uint64_t& own = over[way];
      own = std::max(own, number);
    }
    effects.insert(other.effects.begin(), other.effects.end());
  }
  bool knows_step(std::uint32_t rank, std::uint64_t step) const { return rank < steps.size() && steps[rank] >= step; }
  bool knows(const AccessName& access) const {
    const auto known = over.find(access.way);
    return (known != over.end() && known->second >= access.number) || effects.contains(access);
  }
};

using CausalClockRef = std::shared_ptr<const CausalClock>;

}  // namespace rehearse::smpi
