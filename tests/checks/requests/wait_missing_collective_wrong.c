// SPDX-License-Identifier: MIT
//
// One rank does not wait for a nonblocking barrier.
// check: resource.request
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request request;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);  // <- here
  if (rank == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
