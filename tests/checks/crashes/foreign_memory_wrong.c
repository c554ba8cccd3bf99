// SPDX-License-Identifier: MIT
//
// Rank 0 sends the address of a variable, and rank 1 reads that address.
// check: crash.foreign_memory
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, value = 5;
  int* place = &value;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Bcast(&place, sizeof place, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (rank == 1) printf("%d\n", *place);  // <- here
  MPI_Finalize();
  return 0;
}
