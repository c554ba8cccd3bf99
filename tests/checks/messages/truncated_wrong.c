// SPDX-License-Identifier: MIT
//
// A receive has room for two numbers and three are sent.
// check: message.truncated
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, numbers[3] = {1, 2, 3};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Send(numbers, 3, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(numbers, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // <- here
  MPI_Finalize();
  return 0;
}
