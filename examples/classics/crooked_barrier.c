// SPDX-License-Identifier: MIT
//
// Crooked barrier: rank 0 posts a receive before a barrier. Rank 1 sends to it before the barrier, rank 2 after it.
// Rank 0 may still get the message of rank 2 first: its receive is still pending when it enters the barrier, and the
// message of rank 1 may be late. There are two executions. `crooked_barrier straight` assumes that there is only one,
// and fails in the other.
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int straight = argc > 1 && strcmp(argv[1], "straight") == 0;
  MPI_Request request = MPI_REQUEST_NULL;
  int first = 0, second = 0;

  if (rank == 0) MPI_Irecv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
  if (rank == 1) MPI_Isend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 2) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (rank == 0) MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);

  if (rank == 0) {
    assert(first + second == 3);
    if (straight) assert(first == 1);
  }
  MPI_Finalize();
  return 0;
}
