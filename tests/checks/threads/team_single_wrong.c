// SPDX-License-Identifier: MIT
//
// The thread of a single construct without a barrier waits for the put, all threads load the element.
// check: rma.race
// compile: -fopenmp --check-memory
#include <mpi.h>

static void store(int value, MPI_Win win) {
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
  MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
  MPI_Win_unlock(1, win);
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  int rank, level, sum = 0;
  int cell[2] = {7, 0};
  MPI_Win win;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_create(cell, sizeof cell, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    store(3, win);
  } else {
    int seen[2] = {0, 0};
#pragma omp parallel num_threads(2)
    {
#pragma omp single nowait
      MPI_Barrier(MPI_COMM_WORLD);
#pragma omp for schedule(static, 1)
      for (int i = 0; i < 2; ++i) seen[i] = cell[0];  // <- here
    }
    sum = seen[0] + seen[1];
  }
  MPI_Win_free(&win);
  MPI_Finalize();
  return sum < 0;
}
