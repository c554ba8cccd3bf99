// SPDX-License-Identifier: MIT
//
// Rank 0 waits for the first worker that is ready, then for the result of worker 1. The two messages look the same. If
// worker 1 is faster, the first receive takes its result, and the second receive waits forever. Tests pass as long as
// worker 2 wins the race. Right: 2_stolen_message_fixed.c.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);

  if (rank == 0) {
    int ready, result;
    MPI_Recv(&ready, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&result, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d was ready, the result is %d\n", ready, result);
  } else if (rank <= 2) {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }

  MPI_Finalize();
  return 0;
}
