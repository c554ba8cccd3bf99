// SPDX-License-Identifier: MIT
//
// All ranks of a gather say MPI_IN_PLACE, not the root alone.
// check: argument.buffer
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int numbers[2] = {rank, rank};
  MPI_Gather(MPI_IN_PLACE, 1, MPI_INT, numbers, 1, MPI_INT, 0, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
