// SPDX-License-Identifier: MIT
//
// See topology.hpp.
#include "smpi/topology/topology.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "smpi/communicator/communicator.hpp"

namespace rehearse::smpi {
namespace {

int place(std::size_t index) { return static_cast<int>(index); }

Neighbourhood of_grid(const Cartesian& grid, int rank) {
  Neighbourhood all;
  for (int d = 0; d < place(grid.sizes.size()); ++d) {
    const int before = grid.shifted(rank, d, -1), behind = grid.shifted(rank, d, 1);
    all.destinations.push_back({before, 2 * d});
    all.destinations.push_back({behind, 2 * d + 1});
    all.sources.push_back({before, 2 * d + 1});
    all.sources.push_back({behind, 2 * d});
  }
  return all;
}

Neighbourhood of_graph(const Graph& graph, int rank) {
  Neighbourhood all;
  for (const int neighbour : graph.neighbours_of(rank)) all.sources.push_back({neighbour, 0});
  all.destinations = all.sources;
  return all;
}

Neighbourhood of_distributed_graph(const DistributedGraph& graph) {
  Neighbourhood all;
  for (const int source : graph.sources) all.sources.push_back({source, 0});
  for (const int destination : graph.destinations) all.destinations.push_back({destination, 0});
  return all;
}

// Searches for the descending factors of a number with the smallest difference between the greatest and the least.
// Among several, chooses the one with the greatest last factor, then the greatest second last, and so on. Starts from
// any factors; their difference bounds the search.
class BalancedFactors {
 public:
  std::vector<int> of(int nodes, int count) {
    start(nodes, count, nodes);
    best_ = factors_;
    factors_.clear();
    search(nodes, count, nodes);
    return best_;
  }

 private:
  static int root(int value, int degree) {
    return static_cast<int>(std::floor(std::pow(static_cast<double>(value), 1.0 / degree)));
  }

  // Whether `left` is a product of `count` factors, none greater than `bound`. If so, adds them.
  bool start(int left, int count, int bound) {
    if (count == 1) {
      if (left <= bound) factors_.push_back(left);
      return left <= bound;
    }
    for (int first = std::max(1, root(left, count) - 1); first <= std::min(left, bound); ++first) {
      if (left % first != 0) continue;
      factors_.push_back(first);
      if (start(left / first, count - 1, first)) return true;
      factors_.pop_back();
    }
    return false;
  }

  int spread() const { return best_.front() - best_.back(); }

  void search(int left, int count, int bound) {
    if (count == 1) {
      if (left > bound) return;
      factors_.push_back(left);
      if (is_better()) best_ = factors_;
      factors_.pop_back();
      return;
    }
    // The greatest factor is at least the root, and the least factor is at most the root. Their difference must not
    // exceed the best one.
    const int greatest = factors_.empty() ? root(left, count) + 1 + spread() : bound;
    for (int first = std::max(1, root(left, count) - 1); first <= std::min({left, bound, greatest}); ++first) {
      if (left % first != 0) continue;
      const int top = factors_.empty() ? first : factors_.front();
      if (top - root(left, count) - 1 > spread()) return;
      factors_.push_back(first);
      search(left / first, count - 1, first);
      factors_.pop_back();
    }
  }

  bool is_better() const {
    const int now = factors_.front() - factors_.back();
    if (now != spread()) return now < spread();
    return std::lexicographical_compare(best_.rbegin(), best_.rend(), factors_.rbegin(), factors_.rend());
  }

  std::vector<int> factors_, best_;
};

}  // namespace

int Cartesian::processes() const {
  int product = 1;
  for (const int size : sizes) product *= size;
  return product;
}

std::vector<int> Cartesian::coordinates_of(int rank) const {
  std::vector<int> coordinates(sizes.size());
  for (std::size_t d = sizes.size(); d-- > 0;) {
    coordinates[d] = rank % sizes[d];
    rank /= sizes[d];
  }
  return coordinates;
}

int Cartesian::rank_of(std::span<const int> coordinates) const {
  int rank = 0;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    int at = coordinates[d];
    if (periodic[d]) {
      at %= sizes[d];
      if (at < 0) at += sizes[d];
    }
    if (at < 0 || at >= sizes[d]) return MPI_PROC_NULL;
    rank = rank * sizes[d] + at;
  }
  return rank;
}

int Cartesian::shifted(int rank, int dimension, long long steps) const {
  const auto d = static_cast<std::size_t>(dimension);
  std::vector<int> coordinates = coordinates_of(rank);
  long long at = coordinates[d] + steps;
  if (periodic[d]) at = (at % sizes[d] + sizes[d]) % sizes[d];
  if (at < 0 || at >= sizes[d]) return MPI_PROC_NULL;
  coordinates[d] = static_cast<int>(at);
  return rank_of(coordinates);
}

std::span<const int> Graph::neighbours_of(int rank) const {
  const auto r = static_cast<std::size_t>(rank);
  const int first = rank == 0 ? 0 : ends[r - 1];
  return std::span(edges).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(ends[r] - first));
}

Neighbourhood neighbourhood_of(const Communicator& communicator) {
  const Topology& topology = communicator.topology;
  if (const auto* grid = std::get_if<Cartesian>(&topology)) return of_grid(*grid, communicator.rank());
  if (const auto* graph = std::get_if<Graph>(&topology)) return of_graph(*graph, communicator.rank());
  if (const auto* graph = std::get_if<DistributedGraph>(&topology)) return of_distributed_graph(*graph);
  return {};
}

std::vector<int> balanced_factors(int nodes, int count) {
  return count > 0 ? BalancedFactors().of(nodes, count) : std::vector<int>{};
}

}  // namespace rehearse::smpi
