// SPDX-License-Identifier: MIT
//
// A ready send whose receive nothing orders before it. The receiver has a head start, so that a run does not show it.
// ranks: 2
// check: violation message.not_ready
// executions: 1
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, got = -1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) {
    double start = MPI_Wtime();
    while (MPI_Wtime() < start + 1e-3) {
    }
    MPI_Rsend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
