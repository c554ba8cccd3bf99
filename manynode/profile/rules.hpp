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

// Gives each cluster the first rule that explains its ranks: all, the number of ends or the places of ranks in a grid
// of up to three dimensions if that explains all clusters, rank == 0, rank == P-1, rank % k == c. If only one cluster
// has none, it gets `otherwise`; if several have none, all are shares.
void set_rules(std::vector<RankCluster>& clusters, std::uint32_t ranks);

// The most balanced factors of P, the largest one first.
std::vector<std::uint32_t> balanced_grid(std::uint32_t ranks, std::size_t dimensions);

// The place of a rank in each dimension of the grid, row by row.
std::vector<GridPlace> position_of(std::uint32_t rank, const std::vector<std::uint32_t>& grid);

// The number of dimensions of the grid, row by row, in which a rank is at an end.
std::uint32_t ends_of(std::uint32_t rank, const std::vector<std::uint32_t>& grid);

}  // namespace rehearse::manynode
