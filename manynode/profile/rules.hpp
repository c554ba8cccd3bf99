// SPDX-License-Identifier: MIT
//
// Rules for the ranks of clusters.
//
// Threads: none.
#pragma once

#include <cstdint>
#include <vector>

#include "manynode/profile.hpp"

namespace rehearse::manynode {

// Gives each cluster the first rule that explains its ranks: all, rank == 0, rank == P-1, rank % k == c, the position
// in a grid of two or three dimensions. The largest cluster without one gets `otherwise`; if others have none either,
// all are shares.
void set_rules(std::vector<RankCluster>& clusters, std::uint32_t ranks);

// The most balanced factors of P, the largest one first.
std::vector<std::uint32_t> balanced_grid(std::uint32_t ranks, std::size_t dimensions);

// The number of dimensions of the grid, row by row, in which a rank is at an end.
std::uint32_t ends_of(std::uint32_t rank, const std::vector<std::uint32_t>& grid);

}  // namespace rehearse::manynode
