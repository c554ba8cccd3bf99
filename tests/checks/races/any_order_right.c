// SPDX-License-Identifier: MIT
//
// Rank 0 adds up numbers in the order of the ranks.
// check: none
// ranks: 3
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    int sum = 0;
    for (int i = 0; i < 2; ++i) {
      int number;
      MPI_Recv(&number, 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      sum += number;
    }
    if (sum != 3) return 1;
  } else {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
