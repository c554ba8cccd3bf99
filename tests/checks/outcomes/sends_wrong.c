// SPDX-License-Identifier: MIT
//
// Rank 0 answers the ranks in the order of their requests.
// check: outcome.sends
// ranks: 3
// options: --deterministic output,sends
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, got;
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Recv(&got, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  for (int i = 1; rank == 0 && i < 3; ++i) {
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    MPI_Send(&got, 1, MPI_INT, status.MPI_SOURCE, 1, MPI_COMM_WORLD);  // <- here
  }
  MPI_Finalize();
  return 0;
}
