// SPDX-License-Identifier: MIT
//
// Rank 0 sends the value of a variable.
// check: none
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, value = 5;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 1) printf("%d\n", value);
  MPI_Finalize();
  return 0;
}
