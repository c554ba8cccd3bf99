// SPDX-License-Identifier: MIT
//
// Rank 0 prints, and all ranks call a barrier for each line: no rank needs it.
// check: none
// notes: hint.barrier
// ranks: 3
// options: --needless-barriers
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < size; ++i) {
    if (rank == 0) {
      printf("line %d\n", i);
      fflush(stdout);
    }
    MPI_Barrier(MPI_COMM_WORLD);  // <- here
  }
  MPI_Finalize();
  return 0;
}
