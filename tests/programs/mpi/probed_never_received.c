// SPDX-License-Identifier: MIT
//
// A synchronous send whose message is probed, but never received: it waits forever.
// ranks: 2
// run: fails
// check: violation deadlock.collective
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Message message;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) MPI_Ssend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (rank == 0) MPI_Mprobe(1, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
