// SPDX-License-Identifier: MIT
//
// One half of the ranks does not free its part.
// check: none
// warns: resource.communicator
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm part;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &part);  // <- here
  if (rank % 2 == 0) MPI_Comm_free(&part);
  MPI_Finalize();
  return 0;
}
