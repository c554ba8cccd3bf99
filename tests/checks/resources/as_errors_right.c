// SPDX-License-Identifier: MIT
//
// A communicator is freed, and the options make warnings errors.
// check: none
// options: --warnings-as-errors
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm other;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  if (rank == 0) MPI_Barrier(MPI_COMM_SELF);
  MPI_Comm_free(&other);
  MPI_Finalize();
  return 0;
}
