// SPDX-License-Identifier: MIT
//
// Seven ranks broadcast and one is in a barrier.
// check: collective.operation
// ranks: 8
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = 1;
  if (rank == 3) MPI_Barrier(MPI_COMM_WORLD);  // <- here
  MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);  // <- here
  if (rank != 3) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
