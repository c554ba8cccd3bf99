// SPDX-License-Identifier: MIT
//
// Message and receive use the same communicator.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = 1;
  MPI_Comm other;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  if (rank == 0) MPI_Send(&number, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(&number, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Comm_free(&other);
  MPI_Finalize();
  return 0;
}
