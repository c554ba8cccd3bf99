// SPDX-License-Identifier: MIT
//
// Receives that are freed before they are complete let the synchronous senders of their messages go on, also while
// their rank waits for something else or has come to MPI_Finalize.
// ranks: 3
// buffering: all
#include <assert.h>
#include <mpi.h>

static int taken[4];

static void post_and_free(int* where, int source, int tag) {
  MPI_Request request;
  MPI_Irecv(where, 1, MPI_INT, source, tag, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
}

int main(int argc, char** argv) {
  int rank, value = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    post_and_free(&taken[0], MPI_ANY_SOURCE, 0);
    post_and_free(&taken[1], MPI_ANY_SOURCE, 0);
    post_and_free(&taken[2], 1, 2);
    MPI_Recv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(value == 1);
    MPI_Barrier(MPI_COMM_WORLD);
    post_and_free(&taken[3], 1, 4);
  } else {
    MPI_Ssend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 1) {
      MPI_Ssend(&rank, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
      MPI_Ssend(&rank, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) MPI_Ssend(&rank, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
