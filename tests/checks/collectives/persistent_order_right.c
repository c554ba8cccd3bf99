// SPDX-License-Identifier: MIT
//
// Persistent collectives are made in one order, and started in any.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = 1;
  MPI_Request requests[2];
  MPI_Bcast_init(&number, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
  MPI_Start(&requests[rank]);
  MPI_Start(&requests[1 - rank]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  MPI_Finalize();
  return 0;
}
