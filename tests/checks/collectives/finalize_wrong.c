// SPDX-License-Identifier: MIT
//
// A rank ends while the others wait in a barrier.
// check: deadlock.collective
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) MPI_Barrier(MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
