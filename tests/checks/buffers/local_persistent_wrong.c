// SPDX-License-Identifier: MIT
//
// A persistent receive into an array of a function that has returned is started.
// check: argument.buffer
// says: was a variable of a function that has returned
#include <mpi.h>

static void make(MPI_Request* request) {
  int numbers[10];
  MPI_Recv_init(numbers, 10, MPI_INT, 1, 0, MPI_COMM_WORLD, request);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request;
    make(&request);
    MPI_Start(&request);  // <- here
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
  } else {
    int given[10] = {0};
    MPI_Send(given, 10, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
