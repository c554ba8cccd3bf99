// SPDX-License-Identifier: MIT
//
// A heap block of ten bytes is to take ten integers.
// check: argument.buffer
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int* numbers = calloc(10, 1);
  if (rank == 0) {
    MPI_Send(numbers, 10, MPI_INT, 1, 0, MPI_COMM_WORLD);  // <- here
  }
  int there[10];
  if (rank == 1) MPI_Recv(there, 10, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  free(numbers);
  MPI_Finalize();
  return 0;
}
