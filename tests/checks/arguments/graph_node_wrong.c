// SPDX-License-Identifier: MIT
//
// A graph has an edge to a node that is not there.
// check: argument.rank
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ends[2] = {1, 2};
  int edges[2] = {2, 0};
  MPI_Comm graph;
  MPI_Graph_create(MPI_COMM_WORLD, 2, ends, edges, 0, &graph);  // <- here
  MPI_Comm_free(&graph);
  MPI_Finalize();
  return 0;
}
