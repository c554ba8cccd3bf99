// SPDX-License-Identifier: MIT
//
// Believes that the first message is from rank 1: false in one of two orders. Rank 1 is given a head start, so that a
// run does not show it.
// ranks: 3
// check: violation assertion.failed
// executions: 2
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, value = 0;
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 2) {
    double start = MPI_Wtime();
    while (MPI_Wtime() < start + 1e-3) {
    }
  }
  if (rank > 0) MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    assert(status.MPI_SOURCE == 1);
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
  }
  MPI_Finalize();
  return 0;
}
