// SPDX-License-Identifier: MIT
//
// Virtual topologies: the neighbours of each process of a communicator. Ranks are never reordered.
//
// Source: MPI 5.0, chapter 8. Neighbours of a grid: 8.6 (a message in the negative direction of a dimension arrives
//         from the positive direction, also if both neighbours are one process).
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "mpi.h"

namespace rehearse::smpi {

class Communicator;

// A grid; the last dimension varies fastest. Without dimensions: one process.
struct Cartesian {
  std::vector<int> sizes;
  std::vector<bool> periodic;

  int processes() const;
  std::vector<int> coordinates_of(int rank) const;
  // Coordinates outside of a periodic dimension wrap around; outside of another one: MPI_PROC_NULL.
  int rank_of(std::span<const int> coordinates) const;
  // The rank at a distance of `steps` in a dimension, or MPI_PROC_NULL.
  int shifted(int rank, int dimension, long long steps) const;
};

// As passed to MPI_Graph_create: the neighbours of rank r are edges[ends[r - 1]] .. edges[ends[r] - 1].
struct Graph {
  std::vector<int> ends;
  std::vector<int> edges;

  std::span<const int> neighbours_of(int rank) const;
};

// The part of a distributed graph that one process has. The lists of weights are empty if there are none.
struct DistributedGraph {
  std::vector<int> sources, source_weights;
  std::vector<int> destinations, destination_weights;
  bool weighted = false;
};

using Topology = std::variant<std::monostate, Cartesian, Graph, DistributedGraph>;

// One end of an edge of the caller: the other process, and a mark that distinguishes the edge from other edges between
// the same two processes. Edges with equal marks match in order.
struct Neighbour {
  int rank = MPI_PROC_NULL;
  int mark = 0;
};

// The sources and the destinations of neighbourhood collectives, in their order.
struct Neighbourhood {
  std::vector<Neighbour> sources, destinations;
};

// Of the caller; empty if the communicator has no topology.
Neighbourhood neighbourhood_of(const Communicator& communicator);

// The factors of `nodes`, `count` of them, descending, with the smallest possible difference between the greatest and
// the least.
std::vector<int> balanced_factors(int nodes, int count);

}  // namespace rehearse::smpi
