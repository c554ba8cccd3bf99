// SPDX-License-Identifier: MIT
//
// Each rank broadcasts as the root, and so none waits for another.
// check: collective.root
// says: they name different roots as the 1st collective
// options: --collectives relaxed
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = 1;
  MPI_Bcast(&number, 1, MPI_INT, rank, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
