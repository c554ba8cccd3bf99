// SPDX-License-Identifier: MIT
//
// A request is waited for twice: the second time it is null.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = rank;
  MPI_Request request, copy;
  if (rank == 0) MPI_Isend(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
  if (rank == 1) MPI_Irecv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
  copy = request;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  (void)copy;
  MPI_Finalize();
  return 0;
}
