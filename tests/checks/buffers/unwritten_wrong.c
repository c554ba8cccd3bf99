// SPDX-License-Identifier: MIT
//
// The last two of ten numbers that are sent were never written.
// check: none
// notes: buffer.uninitialized
// compile: --check-memory
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int *values = malloc(10 * sizeof *values);
  if (rank == 0) {
    for (int i = 0; i < 8; ++i) values[i] = i;
    MPI_Send(values, 10, MPI_INT, 1, 0, MPI_COMM_WORLD);  // <- here
  } else {
    MPI_Recv(values, 10, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  free(values);
  MPI_Finalize();
  return 0;
}
