// SPDX-License-Identifier: MIT
//
// Both use one communicator.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = rank;
  MPI_Comm other;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  if (rank == 0) MPI_Ssend(&number, 1, MPI_INT, 1, 0, other);
  if (rank == 1) MPI_Recv(&number, 1, MPI_INT, 0, 0, other, MPI_STATUS_IGNORE);
  MPI_Comm_free(&other);
  MPI_Finalize();
  return 0;
}
