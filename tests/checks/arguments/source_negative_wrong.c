// SPDX-License-Identifier: MIT
//
// A receive from a rank below zero that has no meaning.
// check: argument.rank
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = 1;
  if (rank == 0) MPI_Recv(&number, 1, MPI_INT, rank - 1 - 20, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // <- here
  MPI_Finalize();
  return 0;
}
