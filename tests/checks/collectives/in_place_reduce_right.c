// SPDX-License-Identifier: MIT
//
// Only the root reduces in place.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int sum = 1;
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : &sum, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
