// SPDX-License-Identifier: MIT
//
// No message needs the barriers, but they order the output of the ranks.
// check: none
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
    if (rank == i) {
      printf("rank %d\n", rank);
      fflush(stdout);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
