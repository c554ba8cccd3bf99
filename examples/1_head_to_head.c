// SPDX-License-Identifier: MIT
//
// Two neighbours exchange a number, both sending first. Works for years where the MPI library buffers small messages;
// stops for ever where it does not, for instance once the message has grown. Right: 1_head_to_head_fixed.c.
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
