// SPDX-License-Identifier: MIT
//
// A message is sent with any tag, which is for receives only.
// check: argument.tag
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, number = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Send(&number, 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD);  // <- here
  if (rank == 1) MPI_Recv(&number, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
