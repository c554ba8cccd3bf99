// SPDX-License-Identifier: MIT
//
// The root of a broadcast is the last rank.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int size, number = 7;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Bcast(&number, 1, MPI_INT, size - 1, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
