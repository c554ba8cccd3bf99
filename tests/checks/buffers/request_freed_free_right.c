// SPDX-License-Identifier: MIT
//
// The buffer of a send whose request was freed is freed after a barrier.
// check: none
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int* numbers = calloc(10, sizeof *numbers);
  if (rank == 0) {
    MPI_Request request;
    MPI_Isend(numbers, 10, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Barrier(MPI_COMM_WORLD);
    free(numbers);
  } else {
    MPI_Recv(numbers, 10, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    free(numbers);
  }
  MPI_Finalize();
  return 0;
}
