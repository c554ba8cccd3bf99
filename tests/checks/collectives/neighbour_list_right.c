// SPDX-License-Identifier: MIT
//
// Both ends of each edge of the ring name it.
// check: none
// ranks: 3
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int left = (rank + 2) % 3, right = (rank + 1) % 3;
  int *source = &left, *plain = MPI_UNWEIGHTED;
  MPI_Comm graph, world = MPI_COMM_WORLD;
  MPI_Dist_graph_create_adjacent(world, 1, source, plain, 1, &right, plain, MPI_INFO_NULL, 0, &graph);
  MPI_Comm_free(&graph);
  MPI_Finalize();
  return 0;
}
