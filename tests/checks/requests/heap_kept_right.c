// SPDX-License-Identifier: MIT
//
// The program ends when a cancelled receive is complete, and frees its buffer behind MPI_Finalize.
// check: none
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int* number = calloc(1, sizeof *number);
  MPI_Irecv(number, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  free(number);
  return 0;
}
