// SPDX-License-Identifier: MIT
//
// A thread reads the result of a get that the master's epoch brings, without a barrier.
// check: buffer.read
// compile: -fopenmp --check-memory
#include <mpi.h>

static void fetch(int *result, MPI_Win win) {
  MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
  MPI_Get(result, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
  MPI_Win_unlock(1, win);
}

int main(int argc, char **argv) {
  int rank, level, sum = 0;
  int cell[2] = {7, 0};
  MPI_Win win;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_create(cell, sizeof cell, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Barrier(MPI_COMM_WORLD);
  int result = 0, seen[2] = {0, 0};
#pragma omp parallel num_threads(2) if (rank == 0)
  {
#pragma omp master
    if (rank == 0) fetch(&result, win);
#pragma omp for schedule(static, 1)
    for (int i = 0; i < 2; ++i) seen[i] = result;  // <- here
  }
  sum = seen[0] + seen[1];
  MPI_Win_free(&win);
  MPI_Finalize();
  return sum < 0;
}
