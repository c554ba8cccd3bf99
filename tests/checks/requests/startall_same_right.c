// SPDX-License-Identifier: MIT
//
// Each request is in the list of those to start once.
// check: none
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int numbers[2] = {1, 2};
  MPI_Request requests[2];
  MPI_Send_init(&numbers[0], 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(&numbers[1], 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Startall(2, requests);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 2; ++i) MPI_Request_free(&requests[i]);
  MPI_Finalize();
  return 0;
}
