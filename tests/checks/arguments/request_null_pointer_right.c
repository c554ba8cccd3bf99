// SPDX-License-Identifier: MIT
//
// The request of a send has its place.
// check: none
// ranks: 1
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int number = 1;
  MPI_Request request;
  MPI_Isend(&number, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
