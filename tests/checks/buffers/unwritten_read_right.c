// SPDX-License-Identifier: MIT
//
// The receiver reads the numbers that the sender has written.
// check: none
// compile: --check-memory
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int *values = malloc(10 * sizeof *values);
  if (rank == 0) {
    for (int i = 0; i < 8; ++i) values[i] = i;
    MPI_Send(values, 10, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(values, 10, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 8; ++i) sum += values[i];
  }
  free(values);
  MPI_Finalize();
  if (sum == -1) return 1;
  return 0;
}
