// SPDX-License-Identifier: MIT
//
// A broadcast has one buffer, so it cannot be in place.
// check: argument.buffer
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = 1;
  MPI_Bcast(rank == 0 ? MPI_IN_PLACE : &number, 1, MPI_INT, 0, MPI_COMM_WORLD);  // <- here
  (void)number;
  MPI_Finalize();
  return 0;
}
