// SPDX-License-Identifier: MIT
//
// A receive that nobody serves is cancelled.
// check: none
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int number = 1;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  (void)number;
  MPI_Finalize();
  return 0;
}
