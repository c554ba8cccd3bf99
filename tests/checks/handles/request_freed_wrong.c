// SPDX-License-Identifier: MIT
//
// A request is waited for after it was freed, by a copy of its handle.
// check: argument.request
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = rank;
  MPI_Request request, copy;
  if (rank == 0) {
    MPI_Isend(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    copy = request;
    MPI_Request_free(&request);
    MPI_Wait(&copy, MPI_STATUS_IGNORE);  // <- here
    MPI_Barrier(MPI_COMM_WORLD);
  } else {
    MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
