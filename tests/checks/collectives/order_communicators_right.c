// SPDX-License-Identifier: MIT
//
// The ranks meet on two communicators, in one order.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm other;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Barrier(other);
  MPI_Comm_free(&other);
  MPI_Finalize();
  return 0;
}
