// SPDX-License-Identifier: MIT
//
// A message is sent out of a block of the heap that was freed.
// check: argument.buffer
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int* numbers = calloc(10, sizeof(int));
  free(numbers);
  if (rank == 0) {
    MPI_Send(numbers, 10, MPI_INT, 1, 0, MPI_COMM_WORLD);  // <- here
  }
  if (rank == 1) {
    int there[10];
    MPI_Recv(there, 10, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
