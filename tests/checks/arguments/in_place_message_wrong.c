// SPDX-License-Identifier: MIT
//
// MPI_IN_PLACE is for collectives, not for messages.
// check: argument.buffer
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = 7;
  if (rank == 0) MPI_Send(MPI_IN_PLACE, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);  // <- here
  if (rank == 1) MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
