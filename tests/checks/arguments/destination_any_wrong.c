// SPDX-License-Identifier: MIT
//
// A send to MPI_ANY_SOURCE, which is for receives only.
// check: argument.rank
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = 1;
  if (rank == 0) MPI_Send(&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
