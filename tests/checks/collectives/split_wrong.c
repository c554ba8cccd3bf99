// SPDX-License-Identifier: MIT
//
// A rank does not take part in MPI_Comm_split.
// check: deadlock.collective
// ranks: 3
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm half = MPI_COMM_NULL;
  if (rank != 2) MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &half);  // <- here
  if (half != MPI_COMM_NULL) MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
