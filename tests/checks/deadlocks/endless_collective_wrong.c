// SPDX-License-Identifier: MIT
//
// All ranks iterate until an error is small, and the error stays as it is.
// check: progress.cycle
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  double mine = 1, largest = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  while (largest > 0.5)
    MPI_Allreduce(&mine, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
