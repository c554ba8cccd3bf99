// SPDX-License-Identifier: MIT
//
// A heap block of ten integers takes ten integers, and its middle the half of them.
// check: none
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int* numbers = calloc(10, sizeof(int));
  if (rank == 0) {
    MPI_Send(numbers, 10, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Send(numbers + 5, 5, MPI_INT, 1, 0, MPI_COMM_WORLD);
  }
  if (rank == 1) MPI_Recv(numbers, 10, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Recv(numbers + 5, 5, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  free(numbers);
  MPI_Finalize();
  return 0;
}
