// SPDX-License-Identifier: MIT
//
// The program sends unsigned numbers as unsigned ones.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  unsigned numbers[4] = {1, 2, 3, 4};
  if (rank == 0) MPI_Send(numbers, 4, MPI_UNSIGNED, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(numbers, 4, MPI_UNSIGNED, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
