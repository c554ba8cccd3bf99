// SPDX-License-Identifier: MIT
//
// Nonblocking collectives are started in one order, and completed in any.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = 1;
  MPI_Request requests[2];
  MPI_Ibcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
  MPI_Wait(&requests[1 - rank], MPI_STATUS_IGNORE);
  MPI_Wait(&requests[rank], MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
