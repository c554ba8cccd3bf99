// SPDX-License-Identifier: MIT
//
// EP, after the problem of the NAS Parallel Benchmarks: random pairs are made normal by rejection, and counted by their
// larger coordinate. Computation without communication, then three sums over all ranks.
// Source of the problem and of the sums: RNR-94-007, section 3.1, and the reports of its results.
#include "benchmark.h"

enum { block_exponent = 16, rings = 10 };
static const uint64_t seed = 271828183;

static const struct {
  int exponent;  // of the number of pairs
  double sum_x, sum_y;
} problems[] = {{24, -3.247834652034740e3, -6.958407078382297e3},
                {25, -2.863319731645753e3, -6.320053679109499e3},
                {28, -4.295875165629892e3, -1.580732573678431e4},
                {30, 4.033815542441498e4, -2.660669192809235e4}};

typedef struct {
  double sum_x, sum_y;
  double in_ring[rings];
} Counts;

static void count_block(uint64_t block, Counts* counts) {
  uint64_t state = random_state_after(seed, block << (block_exponent + 1));
  for (int i = 0; i < 1 << block_exponent; ++i) {
    const double x = 2 * next_random(&state) - 1;
    const double y = 2 * next_random(&state) - 1;
    const double square = x * x + y * y;
    if (square > 1) continue;
    const double factor = sqrt(-2 * log(square) / square);
    const double normal_x = x * factor, normal_y = y * factor;
    counts->in_ring[(int)fmax(fabs(normal_x), fabs(normal_y))] += 1;
    counts->sum_x += normal_x;
    counts->sum_y += normal_y;
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int class_number = class_of_arguments(argc, argv, NULL);
  const uint64_t blocks = UINT64_C(1) << (problems[class_number].exponent - block_exponent);

  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  Counts mine = {0}, all = {0};
  for (uint64_t block = (uint64_t)rank; block < blocks; block += (uint64_t)size) count_block(block, &mine);
  MPI_Allreduce(&mine.sum_x, &all.sum_x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&mine.sum_y, &all.sum_y, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(mine.in_ring, all.in_ring, rings, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  const double seconds = MPI_Wtime() - begin;

  if (rank == 0) printf("sums %.12e %.12e\n", all.sum_x, all.sum_y);
  return report("EP", class_number, seconds, is_near(all.sum_x, problems[class_number].sum_x, 1e-8) &&
                                                 is_near(all.sum_y, problems[class_number].sum_y, 1e-8));
}
