// SPDX-License-Identifier: MIT
//
// Only the root gives MPI_IN_PLACE.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int all[2] = {1, 2};
  MPI_Gather(rank == 0 ? MPI_IN_PLACE : &all[1], 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
