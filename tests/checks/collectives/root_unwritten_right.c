// SPDX-License-Identifier: MIT
//
// Rank 0 is the root of a broadcast of an array that nobody wrote: the bytes have no values, but the call is right.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, numbers[128];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Bcast(numbers, 128, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
