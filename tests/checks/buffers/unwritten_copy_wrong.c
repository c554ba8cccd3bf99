// SPDX-License-Identifier: MIT
//
// A part of an array that was never written is copied, and the copy summed up.
// check: none
// warns: buffer.uninitialized
// compile: --check-memory
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  double *rows, *mine, result[4];
  MPI_Init(&argc, &argv);
  rows = malloc(8 * sizeof *rows);
  mine = malloc(4 * sizeof *mine);
  for (int i = 0; i < 3; ++i) rows[2 * i] = rows[2 * i + 1] = 1;
  memcpy(mine, rows + 4, 4 * sizeof *mine);
  MPI_Allreduce(mine, result, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);  // <- here
  free(rows);
  free(mine);
  MPI_Finalize();
  return 0;
}
