// SPDX-License-Identifier: MIT
//
// Two ranks pass a number back and forth, and each counts it down.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, number = 6;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  if (rank == 0) MPI_Send(&number, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
  while (number > 1) {
    MPI_Recv(&number, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    --number;
    if (number > 0) MPI_Send(&number, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
