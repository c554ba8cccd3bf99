// SPDX-License-Identifier: MIT
//
// Rank 0 prints the ranks in the order in which their messages arrive.
// check: outcome.output
// ranks: 3
// options: --deterministic output
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, got;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  for (int i = 1; rank == 0 && i < 3; ++i) {
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // <- here
    printf("%d\n", got);
    fflush(stdout);
  }
  MPI_Finalize();
  return 0;
}
