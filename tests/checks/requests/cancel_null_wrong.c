// SPDX-License-Identifier: MIT
//
// MPI_REQUEST_NULL is cancelled.
// check: argument.request
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int number = 1;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Cancel(&request);  // <- here
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  (void)number;
  MPI_Finalize();
  return 0;
}
