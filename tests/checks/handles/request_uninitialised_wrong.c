// SPDX-License-Identifier: MIT
//
// Of two requests one was never set, and both are waited for.
// check: argument.request
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int number = 1;
  MPI_Request requests[2];
  MPI_Isend(&number, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[0]);
  requests[1] = (MPI_Request)0x7777777;
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);  // <- here
  MPI_Finalize();
  return 0;
}
