// SPDX-License-Identifier: MIT
//
// The owner loads an element in the epoch in which another rank puts it.
// check: rma.race
// ranks: 2
// compile: --check-memory
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, value = 5;
  int memory[4] = {0, 0, 0, 0};
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  if (rank == 0) MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);  // <- here
  if (rank == 1) value = memory[0];  // <- here
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
