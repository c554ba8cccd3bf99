// SPDX-License-Identifier: MIT
//
// MPI_REQUEST_NULL is waited for.
// check: none
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
