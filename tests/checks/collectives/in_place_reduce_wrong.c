// SPDX-License-Identifier: MIT
//
// A rank that is not the root reduces in place.
// check: argument.buffer
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int sum = 1;
  MPI_Reduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
