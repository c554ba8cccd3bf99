// SPDX-License-Identifier: MIT
//
// Embarrassingly parallel: each rank makes pairs of normal random numbers, block by block, and counts them by their
// distance. The blocks are sampled: rehearse run measures some of them, and lets time pass for the others.
//
// Usage:  ep [BLOCKS]   (of each rank; default 256)
// Output: the number of blocks that ran, and the counts; the counts mean something only if all blocks ran.
// Source: the method of the EP benchmark of the NAS Parallel Benchmarks (RNR-94-007), 2.1.
#include <math.h>
#include <mpi.h>
#include <rehearse.h>
#include <stdio.h>
#include <stdlib.h>

#define PAIRS 16384
#define MULTIPLIER 1220703125ull                // 5^13
#define MODULUS_MASK ((1ull << 46) - 1)         // numbers modulo 2^46

static double next_random(unsigned long long* state) {
  *state = *state * MULTIPLIER & MODULUS_MASK;
  return (double)*state / (double)(MODULUS_MASK + 1);
}

static void count_pairs(unsigned long long seed, double counts[10]) {
  for (int i = 0; i < PAIRS; ++i) {
    const double x = 2 * next_random(&seed) - 1, y = 2 * next_random(&seed) - 1, square = x * x + y * y;
    if (square > 1 || square == 0) continue;
    const double factor = sqrt(-2 * log(square) / square);
    const int distance = (int)fmax(fabs(x * factor), fabs(y * factor));
    if (distance < 10) counts[distance] += 1;
  }
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int blocks = argc > 1 ? atoi(argv[1]) : 256;
  double counts[11] = {0}, sums[11] = {0};
  for (int block = 0; block < blocks; ++block) {
    rehearse_sampled("pairs", PAIRS) {
      count_pairs(271828183ull + 2ull * (unsigned long long)(block * size + rank), counts);
      counts[10] += 1;
    }
  }
  MPI_Reduce(counts, sums, 11, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("%.0f of %d blocks ran;", sums[10], blocks * size);
    for (int i = 0; i < 4; ++i) printf(" %.0f", sums[i]);
    printf("\n");
  }
  MPI_Finalize();
  return 0;
}
