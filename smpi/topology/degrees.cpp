// SPDX-License-Identifier: MIT
//
// See degrees.hpp.
#include "smpi/topology/degrees.hpp"

#include <utility>

#include "smpi/abi/calls.hpp"
#include "smpi/communicator/communicator.hpp"

namespace rehearse::smpi {
namespace {

std::pair<int, int> degrees_in_and_out(MPI_Comm comm) {
  if (find_communicator(comm) == nullptr) return {0, 0};
  int topology = MPI_UNDEFINED, in = 0, out = 0, weighted = 0;
  calls::Topo_test(comm, &topology);
  if (topology == MPI_DIST_GRAPH) {
    calls::Dist_graph_neighbors_count(comm, &in, &out, &weighted);
  } else if (topology == MPI_CART) {
    calls::Cartdim_get(comm, &in);
    in = out = 2 * in;
  } else if (topology == MPI_GRAPH) {
    int rank = 0;
    calls::Comm_rank(comm, &rank);
    calls::Graph_neighbors_count(comm, rank, &in);
    out = in;
  }
  return {in, out};
}

}  // namespace

int peers_of(MPI_Comm comm) {
  const Communicator* found = find_communicator(comm);
  return found == nullptr ? 0 : found->peers();
}

int indegree_of(MPI_Comm comm) { return degrees_in_and_out(comm).first; }
int outdegree_of(MPI_Comm comm) { return degrees_in_and_out(comm).second; }

}  // namespace rehearse::smpi
