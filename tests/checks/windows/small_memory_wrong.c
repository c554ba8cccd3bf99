// SPDX-License-Identifier: MIT
//
// A window is longer than the block of its memory.
// check: argument.buffer
// compile: --check-memory
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Win win;
  MPI_Init(&argc, &argv);
  int* memory = malloc(4 * sizeof(int));
  MPI_Win_create(memory, 8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);  // <- here
  MPI_Win_free(&win);
  free(memory);
  MPI_Finalize();
  return 0;
}
