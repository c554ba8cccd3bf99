// SPDX-License-Identifier: MIT
//
// Rank 0 prints the sum, which does not depend on the order.
// check: none
// ranks: 3
// options: --deterministic output
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, got, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  for (int i = 1; rank == 0 && i < 3; ++i) {
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum += got;
    if (i == 2) printf("%d\n", sum);
  }
  MPI_Finalize();
  return 0;
}
