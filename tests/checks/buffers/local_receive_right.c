// SPDX-License-Identifier: MIT
//
// A function starts a receive into an array of its caller and returns.
// check: none
#include <mpi.h>

static void start(int* numbers, MPI_Request* request) {
  MPI_Irecv(numbers, 10, MPI_INT, 1, 0, MPI_COMM_WORLD, request);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    int numbers[10];
    MPI_Request request;
    start(numbers, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    int given[10] = {0};
    MPI_Send(given, 10, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
