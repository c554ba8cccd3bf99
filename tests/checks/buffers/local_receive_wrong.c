// SPDX-License-Identifier: MIT
//
// A function starts a receive into an array of its own and returns.
// check: buffer.freed
// says: was on the stack of start(), which returned
#include <mpi.h>

static void start(MPI_Request* request) {
  int numbers[10];
  MPI_Irecv(numbers, 10, MPI_INT, 1, 0, MPI_COMM_WORLD, request);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request;
    start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);  // <- here
  } else {
    int given[10] = {0};
    MPI_Send(given, 10, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
