// SPDX-License-Identifier: MIT
//
// A stencil on a grid whose rows are shared out: while the outermost rows travel, all others are computed. The
// arguments are how many rows each rank has, how long they are, and how many steps there are.
#include <mpi.h>
#include <stdlib.h>

static void compute(const double *now, double *next, int from, int to, int columns) {
  for (int i = from; i < to; ++i)
    for (int j = 1; j < columns - 1; ++j) {
      const double *cell = now + (size_t)i * columns + j;
      next[(size_t)i * columns + j] = 0.2 * (cell[0] + cell[-1] + cell[1] + cell[-columns] + cell[columns]);
    }
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int rows = argc > 1 ? atoi(argv[1]) : 64, columns = argc > 2 ? atoi(argv[2]) : 64;
  const int steps = argc > 3 ? atoi(argv[3]) : 10;
  const int above = rank > 0 ? rank - 1 : MPI_PROC_NULL, below = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
  double *now = calloc((size_t)(rows + 2) * columns, sizeof *now);
  double *next = calloc((size_t)(rows + 2) * columns, sizeof *next);
  for (int step = 0; step < steps; ++step) {
    MPI_Request requests[4];
    MPI_Irecv(now, columns, MPI_DOUBLE, above, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(now + (size_t)(rows + 1) * columns, columns, MPI_DOUBLE, below, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(now + columns, columns, MPI_DOUBLE, above, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(now + (size_t)rows * columns, columns, MPI_DOUBLE, below, 0, MPI_COMM_WORLD, &requests[3]);
    compute(now, next, 2, rows, columns);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    compute(now, next, 1, 2, columns);
    compute(now, next, rows, rows + 1, columns);
    double *swap = now;
    now = next;
    next = swap;
  }
  free(now);
  free(next);
  MPI_Finalize();
  return 0;
}
