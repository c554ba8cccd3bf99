// SPDX-License-Identifier: MIT
//
// Rank 0 names rank 1 as the target of its edge, and rank 1 does not name rank 0 as a source.
// check: collective.neighbours deadlock.cycle deadlock.orphan message.lost
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int self = rank, other = 1 - rank, mine = 1, all[2];
  MPI_Comm graph;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, rank == 0 ? &other : &self, MPI_UNWEIGHTED, 1, &other,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  MPI_Neighbor_allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, graph);  // <- here
  MPI_Comm_free(&graph);
  MPI_Finalize();
  return 0;
}
