// SPDX-License-Identifier: MIT
//
// One rank calls exit() without MPI_Finalize.
// check: lifecycle.finalized deadlock.orphan
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) exit(0);  // <- here
  MPI_Finalize();
  return 0;
}
