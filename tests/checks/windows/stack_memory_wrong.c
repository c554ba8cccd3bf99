// SPDX-License-Identifier: MIT
//
// The memory of a window is a variable of a function that returns.
// check: buffer.freed
// compile: --check-memory
#include <mpi.h>
#include <stdlib.h>

static void make_window(MPI_Win* win) {
  int memory[4] = {0, 0, 0, 0};
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, win);
}

int main(int argc, char** argv) {
  MPI_Win win;
  MPI_Init(&argc, &argv);
  make_window(&win);
  MPI_Win_free(&win);  // <- here
  MPI_Finalize();
  return 0;
}
