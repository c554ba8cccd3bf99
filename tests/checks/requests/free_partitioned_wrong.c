// SPDX-License-Identifier: MIT
//
// A partitioned send is freed while it is active.
// check: request.active
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = 1;
  MPI_Request request;
  if (rank == 0) {
    MPI_Psend_init(&number, 1, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  } else {
    MPI_Precv_init(&number, 1, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  }
  MPI_Start(&request);
  if (rank == 0) MPI_Pready(0, request);
  MPI_Request_free(&request);  // <- here
  MPI_Finalize();
  return 0;
}
