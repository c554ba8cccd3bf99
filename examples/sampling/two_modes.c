// SPDX-License-Identifier: MIT
//
// Rounds of work and a barrier. In each round, each rank works 1 or 4 units, as a random number says. The barrier waits
// for the slowest rank, so the mean of the times predicts a program that is much too fast.
//
// Usage: two_modes [ROUNDS [UNIT]]   (default 100 rounds; 1 unit is UNIT additions, default 30000)
#include <mpi.h>
#include <rehearse.h>
#include <stdio.h>
#include <stdlib.h>

static volatile double sink;

static void work(long steps) {
  double sum = 0;
  for (long i = 0; i < steps; ++i) sum += 1.0 / (double)(i + 1);
  sink = sum;
}

static unsigned long long mixed(unsigned long long x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdull;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ull;
  return x ^ x >> 33;
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int rounds = argc > 1 ? atoi(argv[1]) : 100;
  const long unit = argc > 2 ? atol(argv[2]) : 30000;
  for (int round = 0; round < rounds; ++round) {
    const int is_long = mixed((unsigned long long)round * 65537 + (unsigned long long)rank + 1) % 2 == 0;
    rehearse_sampled("work") work(is_long ? 4 * unit : unit);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
