// SPDX-License-Identifier: MIT
//
// All ranks come to MPI_Finalize.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) rank = 0;
  MPI_Finalize();
  return 0;
}
