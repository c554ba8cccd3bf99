// SPDX-License-Identifier: MIT
//
// Conjugate gradients for a Laplacian, in ranks of 4 threads: loops, reductions and barriers in one region, and MPI
// calls of its first thread.
// flags: -fopenmp
// ranks: 4
#include <assert.h>
#include <math.h>
#include <mpi.h>
#include <omp.h>
#include <stddef.h>

enum { rows = 16 };
static double x[rows], r[rows], p[rows + 2], q[rows];
static double local, total;

static double sum(double own) {
#pragma omp single
  local = 0;
#pragma omp atomic
  local += own;
#pragma omp barrier
#pragma omp master
  MPI_Allreduce(&local, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#pragma omp barrier
  return total;
}

int main(void) {
  int provided, rank, ranks;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int before = rank > 0 ? rank - 1 : MPI_PROC_NULL, behind = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  double last = 1;
#pragma omp parallel
  {
    double own = 0;
#pragma omp for
    for (int i = 0; i < rows; ++i) x[i] = 0, r[i] = p[i + 1] = 1, own += 1;
    double rho = sum(own);
    for (int step = 0; step < rows * ranks && rho > 1e-20; ++step) {
#pragma omp master
      {
        MPI_Sendrecv(&p[1], 1, MPI_DOUBLE, before, 0, &p[rows + 1], 1, MPI_DOUBLE, behind, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(&p[rows], 1, MPI_DOUBLE, behind, 1, &p[0], 1, MPI_DOUBLE, before, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
      }
#pragma omp barrier
      own = 0;
#pragma omp for schedule(static)
      for (int i = 0; i < rows; ++i) q[i] = 2 * p[i + 1] - p[i] - p[i + 2], own += q[i] * p[i + 1];
      const double alpha = rho / sum(own);
      own = 0;
#pragma omp for schedule(dynamic, 2)
      for (int i = 0; i < rows; ++i) x[i] += alpha * p[i + 1], r[i] -= alpha * q[i], own += r[i] * r[i];
      const double after = sum(own), beta = after / rho;
#pragma omp for
      for (int i = 0; i < rows; ++i) p[i + 1] = r[i] + beta * p[i + 1];
      rho = after;
    }
#pragma omp master
    last = rho;
  }
  assert(last <= 1e-20);
  const double n = rows * ranks, at = rank * rows + 1;
  for (int i = 0; i < rows; ++i) assert(fabs(x[i] - (at + i) * (n + 1 - at - i) / 2) < 1e-6);
  MPI_Finalize();
  return 0;
}
