// SPDX-License-Identifier: MIT
//
// Two collectives are called in different orders, and nobody has to wait in the first one.
// check: collective.operation
// says: as the 1st collective on MPI_COMM_WORLD
// options: --collectives relaxed
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = 1, all[2];
  if (rank == 0) {
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Gather(&number, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
  } else {
    MPI_Gather(&number, 1, MPI_INT, NULL, 0, MPI_INT, 0, MPI_COMM_WORLD);  // <- here
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
