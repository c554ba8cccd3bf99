// SPDX-License-Identifier: MIT
//
// One of three ranks leaves out a barrier.
// check: deadlock.collective
// ranks: 3
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 1) MPI_Barrier(MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
