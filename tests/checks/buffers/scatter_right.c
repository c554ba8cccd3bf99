// SPDX-License-Identifier: MIT
//
// With MPI_IN_PLACE the root of an MPI_Scatter keeps its part where it is.
// check: none
// ranks: 2
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  int all[4] = {1, 2, 3, 4};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Scatter(all, 2, MPI_INT, rank == 0 ? MPI_IN_PLACE : all + 1, 2, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
