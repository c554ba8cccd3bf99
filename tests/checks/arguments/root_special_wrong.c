// SPDX-License-Identifier: MIT
//
// MPI_ROOT is for intercommunicators.
// check: argument.root
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = 7;
  MPI_Bcast(&number, 1, MPI_INT, rank == 0 ? MPI_ROOT : 0, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
