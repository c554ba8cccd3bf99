// SPDX-License-Identifier: MIT
//
// Small whole numbers, so products are exact. Each rank has ROWS rows of each matrix.
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void multiply(int rows, int n, const double* a, const double* b, double* c, MPI_Comm comm);

static double a_at(int i, int j) { return (i * 3 + j) % 7; }
static double b_at(int i, int j) { return (i + j * 5) % 11; }

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int rows = argc > 1 ? atoi(argv[1]) : 2, n = rows * size;
  double* a = calloc(rows * n, sizeof *a);
  double* b = calloc(rows * n, sizeof *b);
  double* c = calloc(rows * n, sizeof *c);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < n; ++j) {
      a[i * n + j] = a_at(rank * rows + i, j);
      b[i * n + j] = b_at(rank * rows + i, j);
    }
  }
  multiply(rows, n, a, b, c, MPI_COMM_WORLD);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += a_at(rank * rows + i, k) * b_at(k, j);
      assert(c[i * n + j] == sum);
    }
  }
  if (rank == 0) printf("the corner is %.0f\n", c[0]);
  free(a);
  free(b);
  free(c);
  MPI_Finalize();
  return 0;
}
