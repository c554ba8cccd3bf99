// SPDX-License-Identifier: MIT
//
// GE: Gaussian elimination with partial pivoting. The number of equations is the number of ranks, or the argument. The
// rows are dealt to the ranks in turn. All ranks agree on the largest element of the column. Its owner sends the row to
// all ranks, which receive it from any source, with the step as the tag. Deterministic under every policy.
#include <assert.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size, n;

// A row of the system, followed by the right-hand side. The solution is 1, 2, 3, ...
static double element(int row, int column) {
  if (column < n) return (row * 7 + column * 5) % 13 + (row == column ? n : 0);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += element(row, i) * (i + 1);
  return sum;
}

struct largest {
  double value;
  int row;
};

static struct largest pivot_of(double** rows, const char* used, int step) {
  struct largest mine = {-1, n}, all;
  for (int row = rank; row < n; row += size)
    if (!used[row] && fabs(rows[row][step]) > mine.value) mine = (struct largest){fabs(rows[row][step]), row};
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  return all;
}

static void share(double* row, int owner, int step) {
  if (rank != owner) {
    MPI_Recv(row, n + 1, MPI_DOUBLE, MPI_ANY_SOURCE, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return;
  }
  for (int other = 0; other < size; ++other)
    if (other != rank) MPI_Send(row, n + 1, MPI_DOUBLE, other, step, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  n = argc > 1 ? atoi(argv[1]) : size;
  double** rows = malloc(n * sizeof *rows);  // the rows of this rank, then the pivot of each step
  double** pivots = malloc(n * sizeof *pivots);
  char* used = calloc(n, 1);
  for (int i = 0; i < n; ++i) {
    rows[i] = malloc((n + 1) * sizeof *rows[i]);
    pivots[i] = malloc((n + 1) * sizeof *pivots[i]);
    for (int column = 0; column <= n; ++column) rows[i][column] = element(i, column);
  }

  for (int step = 0; step < n; ++step) {
    const struct largest pivot = pivot_of(rows, used, step);
    used[pivot.row] = 1;
    for (int i = 0; i <= n && rank == pivot.row % size; ++i) pivots[step][i] = rows[pivot.row][i];
    share(pivots[step], pivot.row % size, step);
    for (int row = rank; row < n; row += size) {
      const double factor = rows[row][step] / pivots[step][step];
      for (int i = step; i <= n && !used[row]; ++i) rows[row][i] -= factor * pivots[step][i];
    }
  }

  double* x = malloc(n * sizeof *x);
  for (int i = n - 1; i >= 0; --i) {
    x[i] = pivots[i][n];
    for (int k = i + 1; k < n; ++k) x[i] -= pivots[i][k] * x[k];
    x[i] /= pivots[i][i];
    assert(fabs(x[i] - (i + 1)) < 1e-6);
  }
  free(x);
  for (int i = 0; i < n; ++i) {
    free(rows[i]);
    free(pivots[i]);
  }
  free(used);
  free(pivots);
  free(rows);
  MPI_Finalize();
  return 0;
}
