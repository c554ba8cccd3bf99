// SPDX-License-Identifier: MIT
//
// A rank that is not the root gives MPI_IN_PLACE.
// check: argument.buffer
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int all[2] = {1, 2};
  MPI_Gather(MPI_IN_PLACE, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
