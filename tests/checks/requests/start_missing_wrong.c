// SPDX-License-Identifier: MIT
//
// A persistent request is waited for that was never started.
// check: none
// warns: request.inactive
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int number = 1;
  MPI_Request request;
  MPI_Send_init(&number, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);  // <- here
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
