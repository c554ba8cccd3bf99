// SPDX-License-Identifier: MIT
//
// A rank frees the request of a pending barrier.
// check: request.active
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Request request;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);  // <- here
  MPI_Finalize();
  return 0;
}
