// SPDX-License-Identifier: MIT
//
// Waits for a generalized request that nobody can complete.
// ranks: 1
// run: fails
// check: violation request.never_complete
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Grequest_start(0, 0, 0, 0, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
