// SPDX-License-Identifier: MIT
//
// A rod that is hot at one end. Every rank has CELLS cells of it, and two cells of its neighbours.
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void exchange(double* row, int cells, MPI_Comm comm);

// The whole rod on each rank, for comparison.
static void step(double* rod, double* next, int length) {
  for (int i = 1; i <= length; ++i) next[i] = (rod[i - 1] + rod[i + 1]) / 2;
  for (int i = 1; i <= length; ++i) rod[i] = next[i];
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int cells = argc > 1 ? atoi(argv[1]) : 3, steps = argc > 2 ? atoi(argv[2]) : 2, length = cells * size;
  double *row = calloc(cells + 2, sizeof *row), *rod = calloc(length + 2, sizeof *rod);
  double* next = calloc(length + 2, sizeof *next);
  rod[0] = 1024;  // the hot end
  if (rank == 0) row[0] = 1024;
  for (int i = 0; i < steps; ++i) {
    exchange(row, cells, MPI_COMM_WORLD);
    step(row, next, cells);
    step(rod, next, length);
  }
  for (int i = 1; i <= cells; ++i) assert(row[i] == rod[rank * cells + i]);
  if (rank == 0) printf("the first cell has %.1f degrees\n", row[1]);
  free(row);
  free(rod);
  free(next);
  MPI_Finalize();
  return 0;
}
