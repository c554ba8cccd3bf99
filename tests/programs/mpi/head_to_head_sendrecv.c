// SPDX-License-Identifier: MIT
//
// The correct twin of head_to_head.c.
// buffering: zero
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, theirs;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 0, &theirs, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  assert(theirs == 1 - rank);
  theirs = rank;
  MPI_Sendrecv_replace(&theirs, 1, MPI_INT, 1 - rank, 0, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  assert(theirs == 1 - rank);
  MPI_Finalize();
  return 0;
}
