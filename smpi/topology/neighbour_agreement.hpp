// SPDX-License-Identifier: MIT
//
// Checks that both ends of each edge of MPI_Dist_graph_create_adjacent name the edge.
//
// Source: MPI 4.1, 8.5.4: each edge is described in the source and in the destination process, with the same weights;
//         of several edges between two processes the order does not matter.
#pragma once

#include <span>
#include <vector>

#include "smpi/collective/disagreement.hpp"
#include "smpi/communicator/communicator.hpp"
#include "smpi/topology/topology.hpp"

namespace rehearse::smpi {

// The remark of a process, which describes its part of the graph.
std::vector<int> neighbours_remark(const DistributedGraph& graph);

// A process whose description of the edges between it and the caller differs. If several processes find one, the lowest
// rank is reported.
Disagreement compare_neighbours(const Communicator& communicator, std::span<const Remark> remarks);

}  // namespace rehearse::smpi
