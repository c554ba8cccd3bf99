// SPDX-License-Identifier: MIT
//
// A global array of four numbers is sent as forty.
// check: argument.buffer
#include <mpi.h>

static int numbers[4];
int others[40];

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Send(numbers, 40, MPI_INT, 1, 0, MPI_COMM_WORLD);  // <- here
  if (rank == 1) MPI_Recv(others, 40, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
