// SPDX-License-Identifier: MIT
//
// A function sends an array of its own, and returns when the send is complete.
// check: none
#include <mpi.h>

static void start(MPI_Request* request) {
  int numbers[10] = {0};
  MPI_Isend(numbers, 10, MPI_INT, 1, 0, MPI_COMM_WORLD, request);
  MPI_Wait(request, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request;
    start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    int taken[10];
    MPI_Recv(taken, 10, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
