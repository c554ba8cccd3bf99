// SPDX-License-Identifier: MIT
//
// One rank duplicates a communicator, the other splits it.
// check: collective.operation
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm other;
  if (rank == 0)
    MPI_Comm_dup(MPI_COMM_WORLD, &other);  // <- here
  else
    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &other);  // <- here
  MPI_Comm_free(&other);
  MPI_Finalize();
  return 0;
}
