// SPDX-License-Identifier: MIT
//
// A rank tests for a receive whose message arrives.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int done = 0, number = 1, answer;
  MPI_Request request;
  if (rank == 0) {
    MPI_Irecv(&answer, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Send(&number, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    while (!done) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(&number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
