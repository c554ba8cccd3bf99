// SPDX-License-Identifier: MIT
//
// MPI_REQUEST_NULL is freed.
// check: argument.request
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Request_free(&request);  // <- here
  MPI_Finalize();
  return 0;
}
