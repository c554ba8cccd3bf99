// SPDX-License-Identifier: MIT
//
// A graph has edges between its nodes.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ends[2] = {1, 2};
  int edges[2] = {1, 0};
  MPI_Comm graph;
  MPI_Graph_create(MPI_COMM_WORLD, 2, ends, edges, 0, &graph);
  MPI_Comm_free(&graph);
  MPI_Finalize();
  return 0;
}
