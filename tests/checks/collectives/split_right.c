// SPDX-License-Identifier: MIT
//
// A rank that is to be in no group gives MPI_UNDEFINED.
// check: none
// ranks: 3
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 2 ? MPI_UNDEFINED : 0, 0, &half);
  if (half != MPI_COMM_NULL) MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
