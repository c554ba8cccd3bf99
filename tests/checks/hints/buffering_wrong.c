// SPDX-License-Identifier: MIT
//
// Two ranks send before they receive; a third one sends to both, and relies on nothing.
// check: deadlock.cycle
// notes: hint.buffering
// says: rank 2 waits for them in turn
// ranks: 3
// options: --needed-buffering
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, value = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 2) {
    MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    MPI_Send(&rank, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
  } else {
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);  // <- here
    MPI_Recv(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&value, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
