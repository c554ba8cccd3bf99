// SPDX-License-Identifier: MIT
//
// Two neighbours exchange a number, and both send first. The program works while the MPI library buffers small
// messages. It hangs when the library does not, for instance for larger messages. Right: 1_head_to_head_fixed.c.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int neighbour = rank ^ 1;
  int theirs;

  MPI_Send(&rank, 1, MPI_INT, neighbour, 0, MPI_COMM_WORLD);
  MPI_Recv(&theirs, 1, MPI_INT, neighbour, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

  printf("rank %d heard from rank %d\n", rank, theirs);
  MPI_Finalize();
  return 0;
}
