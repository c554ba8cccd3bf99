// SPDX-License-Identifier: MIT
//
// Bits of floating-point numbers cannot be combined.
// check: argument.operator
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double mine = rank, all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_BAND, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
