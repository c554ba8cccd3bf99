// SPDX-License-Identifier: MIT
//
// Steps of a computation in which the last rank has more work than the others, which wait for it.
// Usage: imbalance FACTOR    (work of the last rank, in units of that of the others)
#include <mpi.h>
#include <stdlib.h>

#include "rehearse.h"

int main(int argc, char** argv) {
  const double factor = argc > 1 ? atof(argv[1]) : 1;
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const double flops = 5e8;  // total of a step: flops * ranks
  const double others = flops * ranks / (ranks - 1 + factor);
  for (int step = 0; step < 10; ++step) {
    rehearse_compute_flops(rank == ranks - 1 ? factor * others : others);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
