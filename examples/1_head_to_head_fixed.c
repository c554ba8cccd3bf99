// SPDX-License-Identifier: MIT
//
// 1_head_to_head.c without the error: one call sends and receives, so no buffer is needed.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int neighbour = rank ^ 1;
  int theirs;

  MPI_Sendrecv(&rank, 1, MPI_INT, neighbour, 0, &theirs, 1, MPI_INT, neighbour, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);

  printf("rank %d heard from rank %d\n", rank, theirs);
  MPI_Finalize();
  return 0;
}
