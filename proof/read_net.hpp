// SPDX-License-Identifier: MIT
//
// Reads the net of a proof file, from the line after `net` to the first question, and checks its form: each rank has
// one start, steps lead from points of a rank to points of that rank and never back, and messages belong to the ranks
// that take and send them.
//
// Errors: BadLine.
#pragma once

#include "proof/lines.hpp"
#include "proof/net.hpp"

namespace rehearse::proof {

Net read_net(Lines& lines);

// The points such that each step leads from an earlier one to a later one.
std::vector<std::uint32_t> in_order(const Net& net);

}  // namespace rehearse::proof
