// SPDX-License-Identifier: MIT
//
// What a rank has taken from another rank, and how many messages it has sent to it, wherever it may stand: all values
// that are possible by the steps of this rank alone.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "proof/net.hpp"

namespace rehearse::proof {

struct Counter {
  std::map<std::uint32_t, std::set<std::uint32_t>> taken;  // by channel: numbers
  std::map<std::uint32_t, std::uint32_t> sent;             // by channel: how many
  auto operator<=>(const Counter&) const = default;

  bool has_taken(std::uint32_t channel, std::uint32_t number) const;
  std::uint32_t sent_in(std::uint32_t channel) const;
};

class Counters {
 public:
  // `order`: of all points, such that steps lead from earlier ones to later ones. Both must outlive the counters.
  Counters(const Net& net, const std::vector<std::uint32_t>& order) : net_(net), order_(order) {}

  // Where the rank stands at the point: the values with respect to the other rank.
  const std::set<Counter>& at(std::uint32_t point, std::uint32_t other);

 private:
  using Values = std::vector<std::set<Counter>>;  // by point

  Values values(std::uint32_t rank, std::uint32_t other) const;
  bool count_sends(const std::vector<std::uint32_t>& sends, std::uint32_t other, Counter& counter) const;
  bool apply(const Step& step, std::uint32_t other, Counter& counter) const;

  const Net& net_;
  const std::vector<std::uint32_t>& order_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Values> known_;  // by rank and other rank
};

}  // namespace rehearse::proof
