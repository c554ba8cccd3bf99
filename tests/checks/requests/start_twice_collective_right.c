// SPDX-License-Identifier: MIT
//
// A persistent collective is waited for before it is started again.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int mine = 1, sum;
  MPI_Request request;
  MPI_Allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
