// SPDX-License-Identifier: MIT
//
// Both ranks call the two collectives in the same order.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = 1, all[2];
  MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Gather(&number, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
