// SPDX-License-Identifier: MIT
//
// A receive into the second half of a heap block is as long as the half.
// check: none
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int* numbers = calloc(100, sizeof(int));
  if (rank == 0) MPI_Send(numbers, 50, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(numbers + 50, 50, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  free(numbers);
  MPI_Finalize();
  return 0;
}
