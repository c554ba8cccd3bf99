// SPDX-License-Identifier: MIT
//
// One rank returns before its MPI_Finalize.
// check: lifecycle.finalized deadlock.orphan
#include <mpi.h>

int main(int argc, char** argv) {  // <- here
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) return 0;
  MPI_Finalize();
  return 0;
}
