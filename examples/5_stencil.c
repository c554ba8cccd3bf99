// SPDX-License-Identifier: MIT
//
// Heat in a rod. Each rank owns a piece of the rod. In every step it exchanges the ends of its piece with its
// neighbours, and all ranks compute the largest change together. Use it to compare machines. Arguments: the number of
// cells (100000) and the number of steps (100).
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

// The neighbours' ends go into cells 0 and n + 1.
static void exchange_ends(double* cell, int n, int left, int right) {
  MPI_Sendrecv(&cell[1], 1, MPI_DOUBLE, left, 0, &cell[n + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(&cell[n], 1, MPI_DOUBLE, right, 0, &cell[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

// Returns the largest change.
static double step(const double* now, double* next, int n) {
  double largest = 0;
  for (int i = 1; i <= n; ++i) {
    next[i] = now[i] + 0.25 * (now[i - 1] - 2 * now[i] + now[i + 1]);
    largest = fmax(largest, fabs(next[i] - now[i]));
  }
  return largest;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int cells = argc > 1 ? atoi(argv[1]) : 100000;
  const int steps = argc > 2 ? atoi(argv[2]) : 100;
  const int n = cells / size;
  const int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  const int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
  double* now = calloc(n + 2, sizeof *now);
  double* next = calloc(n + 2, sizeof *next);
  if (rank == 0) now[0] = next[0] = 100;  // one end stays hot

  const double begin = MPI_Wtime();
  double change = 0;
  for (int i = 0; i < steps; ++i) {
    exchange_ends(now, n, left, right);
    const double mine = step(now, next, n);
    MPI_Allreduce(&mine, &change, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    double* swap = now;
    now = next;
    next = swap;
  }
  if (rank == 0) printf("%d steps took %.6f s, last change %.4f\n", steps, MPI_Wtime() - begin, change);

  free(now);
  free(next);
  MPI_Finalize();
  return 0;
}
