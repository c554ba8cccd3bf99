// SPDX-License-Identifier: MIT
//
// A call after MPI_Finalize.
// run: fails
// check: violation lifecycle.finalized
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return 0;
}
