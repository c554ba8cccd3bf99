// SPDX-License-Identifier: MIT
//
// Grids and factors against literal searches.
#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <vector>

#include "smpi/topology/topology.hpp"

using namespace rehearse::smpi;

namespace {

bool is_closer(const std::vector<int>& one, const std::vector<int>& other) {
  const int spread = one.front() - one.back(), other_spread = other.front() - other.back();
  if (spread != other_spread) return spread < other_spread;
  return std::vector(one.rbegin(), one.rend()) > std::vector(other.rbegin(), other.rend());
}

// The best descending factors by trying them all.
std::vector<int> best_factors(int nodes, int count) {
  std::vector<int> best, current;
  const std::function<void(int, int)> extend = [&](int left, int bound) {
    if (static_cast<int>(current.size()) == count) {
      if (left == 1 && (best.empty() || is_closer(current, best))) best = current;
      return;
    }
    for (int factor = 1; factor <= std::min(left, bound); ++factor) {
      if (left % factor != 0) continue;
      current.push_back(factor);
      extend(left / factor, factor);
      current.pop_back();
    }
  };
  extend(nodes, nodes);
  return best;
}

}  // namespace

TEST_CASE("dims: the factors are as close to each other as possible", "[smpi][topology]") {
  for (int nodes = 1; nodes <= 200; ++nodes)
    for (int count = 1; count <= 4; ++count) CHECK(balanced_factors(nodes, count) == best_factors(nodes, count));
  CHECK(balanced_factors(1, 0).empty());
  CHECK(balanced_factors(7488, 3) == std::vector{26, 18, 16});  // not 24, 24, 13
}

TEST_CASE("grid: ranks and coordinates are each other's inverse", "[smpi][topology]") {
  const Cartesian grid{{3, 1, 4}, {false, true, true}};
  CHECK(grid.processes() == 12);
  for (int rank = 0; rank < grid.processes(); ++rank) CHECK(grid.rank_of(grid.coordinates_of(rank)) == rank);
}

TEST_CASE("grid: steps wrap around where it is periodic, and leave it elsewhere", "[smpi][topology]") {
  const Cartesian grid{{3, 4}, {false, true}};
  CHECK(grid.shifted(5, 1, -6) == 7);
  CHECK(grid.shifted(5, 1, 2'147'483'647LL) == 4);
  CHECK(grid.shifted(5, 0, 1) == 9);
  CHECK(grid.shifted(5, 0, 2) == MPI_PROC_NULL);
  CHECK(grid.rank_of(std::vector{0, -1}) == 3);
  CHECK(grid.rank_of(std::vector{-1, 0}) == MPI_PROC_NULL);
}
