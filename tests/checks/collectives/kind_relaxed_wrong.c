// SPDX-License-Identifier: MIT
//
// Rank 0 broadcasts and rank 1 gives to a gather, and so none waits for the other.
// check: collective.operation
// says: they call different collectives as the 1st collective
// options: --collectives relaxed
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = 1, all[2];
  if (rank == 0)
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);  // <- here
  else
    MPI_Gather(&number, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
