// SPDX-License-Identifier: MIT
//
// Groups of hosts that measured pairs connect, and whether a group has two sides so that all its pairs lead from one to
// the other (a bipartite graph).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/last_mile/pair_values.hpp"

namespace rehearse::app {

struct HostGroup {
  std::vector<std::uint32_t> sides[2];  // of hosts; if it does not have two sides, all hosts are in sides[0]
  bool has_two_sides = true;
};

// Hosts without a pair are in no group.
std::vector<HostGroup> groups_of(std::span<const PairValue> pairs, std::size_t hosts);

}  // namespace rehearse::app
