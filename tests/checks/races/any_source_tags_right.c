// SPDX-License-Identifier: MIT
//
// Messages may come from anybody, but each tag is of one rank.
// check: none
// ranks: 3
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    int sum = 0, number;
    for (int i = 0; i < 2; ++i) {
      MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, i + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      sum += number;
    }
    if (sum != 3) return 1;
  } else {
    MPI_Send(&rank, 1, MPI_INT, 0, rank, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
