// SPDX-License-Identifier: MIT
//
// One rank ends with another status than the others.
// check: crash.exit_status
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Finalize();
  if (rank == 1) exit(rank);  // <- here
  return 0;
}
