// SPDX-License-Identifier: MIT
//
// The message is received as what it is.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  double values[2] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Ssend(values, 2, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD);
  } else {
    MPI_Request request;
    MPI_Irecv(values, 2, MPI_DOUBLE, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
