// SPDX-License-Identifier: MIT
//
// Eight integers are received into an array of four on the stack.
// check: argument.buffer
// says: buf must be 32 bytes long, but the variable numbers (int[4]) there ends after 16 bytes
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int numbers[4] = {1, 2, 3, 4};
  if (rank == 0) MPI_Send(numbers, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(numbers, 8, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // <- here
  MPI_Finalize();
  return 0;
}
