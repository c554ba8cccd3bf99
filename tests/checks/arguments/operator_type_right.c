// SPDX-License-Identifier: MIT
//
// Bits of integers can be combined.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine = rank, all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_BAND, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
