// SPDX-License-Identifier: MIT
//
// All ranks end with the status 0.
// check: none
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Finalize();
  return 0;
}
