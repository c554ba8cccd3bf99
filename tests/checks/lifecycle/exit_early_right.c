// SPDX-License-Identifier: MIT
//
// One rank calls exit() after MPI_Finalize.
// check: none
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Finalize();
  if (rank == 1) exit(0);
  return 0;
}
