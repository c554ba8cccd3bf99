// SPDX-License-Identifier: MIT
//
// One origin updates an element as two types: MPI orders only updates of one type.
// check: rma.race
// compile: --check-memory
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, value = 5;
  float half = 0.5F;
  int memory[4] = {0, 0, 0, 0};
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  if (rank == 0) {
    MPI_Accumulate(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);
    MPI_Accumulate(&half, 1, MPI_FLOAT, 1, 0, 1, MPI_FLOAT, MPI_SUM, win);  // <- here
  }
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
