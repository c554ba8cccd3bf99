// SPDX-License-Identifier: MIT
//
// Both send first: works only if the messages are buffered.
// check: violation deadlock.cycle
// buffering: zero
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, mine = 0, theirs;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Send(&mine, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
  MPI_Recv(&theirs, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
