// SPDX-License-Identifier: MIT
//
// The two ends of an edge give it different w.
// check: collective.neighbours
// says: rank 0 gives the edge to rank 1 the weight 1, and rank 1 gives it the weight 2
// ranks: 3
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int left = (rank + 2) % 3, right = (rank + 1) % 3, w[1] = {rank == 0 ? 1 : 2};
  MPI_Comm graph, world = MPI_COMM_WORLD;
  MPI_Dist_graph_create_adjacent(world, 1, &left, w, 1, &right, w, MPI_INFO_NULL, 0, &graph);  // <- here
  MPI_Comm_free(&graph);
  MPI_Finalize();
  return 0;
}
