// SPDX-License-Identifier: MIT
//
// A smallest set of numbers that has one of each clause.
//
// Method: branches on the numbers of a shortest clause that has none yet, and leaves out what cannot become smaller
//         than the best set: clauses without common numbers need one each.
// Time:   exponential in the worst case. After `most_steps` the best set so far is returned, which hits all clauses.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

namespace rehearse::mc::buffering {

using Clause = std::vector<std::uint32_t>;  // not empty, without duplicates

std::set<std::uint32_t> hitting_set(const std::vector<Clause>& clauses, std::uint64_t most_steps = 1'000'000);

}  // namespace rehearse::mc::buffering
