// SPDX-License-Identifier: MIT
//
// Rank 2 names rank 0 as the source of its edge, but rank 0 names only rank 1 as a destination.
// check: collective.neighbours
// says: rank 0 names rank 2 as a destination not at all, and rank 2 names rank 0 as a source once
// ranks: 3
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int left = (rank + 2) % 3, right = (rank + 1) % 3;
  int *source = rank == 2 ? &right : &left, *plain = MPI_UNWEIGHTED;
  MPI_Comm graph, world = MPI_COMM_WORLD;
  MPI_Dist_graph_create_adjacent(world, 1, source, plain, 1, &right, plain, MPI_INFO_NULL, 0, &graph);  // <- here
  MPI_Comm_free(&graph);
  MPI_Finalize();
  return 0;
}
