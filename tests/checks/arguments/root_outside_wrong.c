// SPDX-License-Identifier: MIT
//
// The root of a broadcast is the number of ranks, which is one too large.
// check: argument.root
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int size, number = 7;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Bcast(&number, 1, MPI_INT, size, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
