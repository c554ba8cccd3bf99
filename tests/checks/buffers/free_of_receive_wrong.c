// SPDX-License-Identifier: MIT
//
// The buffer of a receive is freed before the receive is complete.
// check: buffer.freed
// says: the receive buffer (10 MPI_INT, 40 bytes) of MPI_Irecv
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
    free(numbers);  // <- here
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    int given[10] = {0};
    MPI_Send(given, 10, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
