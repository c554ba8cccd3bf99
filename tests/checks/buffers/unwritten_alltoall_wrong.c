// SPDX-License-Identifier: MIT
//
// A benchmark of MPI_Alltoall sends memory that was never written. This is reported once, and only as a note until a
// rank reads the received data.
// check: none
// warns: buffer.uninitialized
// ranks: 2
// compile: --check-memory
#include <mpi.h>
#include <stdlib.h>

enum { N = 1000 };

int main(int argc, char **argv) {
  int rank;
  double first = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double *given = malloc(2 * N * sizeof *given);
  double *taken = calloc(2 * N, sizeof *taken);
  for (int i = 0; i < 3; ++i) MPI_Alltoall(given, N, MPI_DOUBLE, taken, N, MPI_DOUBLE, MPI_COMM_WORLD);
  if (rank == 0) first = taken[N];  // <- here
  free(given);
  free(taken);
  MPI_Finalize();
  return first == 1;
}
