// SPDX-License-Identifier: MIT
//
// A loop that the threads of each rank share, and a sum over all ranks.
#include <mpi.h>
#include <omp.h>
#include <rehearse.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int provided, rank;
  double own = 0, sum = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const double begin = MPI_Wtime();
#pragma omp parallel for reduction(+ : own)
  for (int i = 0; i < 64; ++i) {
    rehearse_compute_for(0.01);
    own += i;
  }
  const double time = MPI_Wtime() - begin;
  MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("sum %.0f, loop %.2f s with %d threads\n", sum, time, omp_get_max_threads());
  MPI_Finalize();
  return 0;
}
