// SPDX-License-Identifier: MIT
//
// The buffer of a send is freed when the send is complete.
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
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    free(numbers);
  } else {
    MPI_Recv(numbers, 10, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(numbers);
  }
  MPI_Finalize();
  return 0;
}
