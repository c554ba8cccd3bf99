// SPDX-License-Identifier: MIT
//
// A tag that is the number of a constant for ranks.
// check: argument.tag
// says: the tag is -1, but tags are 0 to
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = rank;
  if (rank == 0) MPI_Send(&number, 1, MPI_INT, 1, -1, MPI_COMM_WORLD);  // <- here
  if (rank == 1) MPI_Recv(&number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
