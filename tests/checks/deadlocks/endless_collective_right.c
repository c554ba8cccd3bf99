// SPDX-License-Identifier: MIT
//
// All ranks iterate until an error is small, and each iteration halves it.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  double mine = 8, largest = 8;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  while (largest > 0.5) {
    mine /= 2;
    MPI_Allreduce(&mine, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
