// SPDX-License-Identifier: MIT
//
// A buffer is made larger when the receive into it is complete.
// check: none
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request;
    int* numbers = calloc(10, sizeof *numbers);
    MPI_Irecv(numbers, 10, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    numbers = realloc(numbers, 1000 * sizeof *numbers);
    free(numbers);
  } else {
    int given[10] = {0};
    MPI_Send(given, 10, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
