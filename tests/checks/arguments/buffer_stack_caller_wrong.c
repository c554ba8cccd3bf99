// SPDX-License-Identifier: MIT
//
// A function receives eight integers into an array of four that its caller has on the stack.
// check: argument.buffer
// says: the variable row (int[4]) there ends after 12 bytes
#include <mpi.h>

static void receive(int* into, int count) {
  MPI_Recv(into, count, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // <- here
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int numbers[4] = {1, 2, 3, 4};
  if (rank == 0) MPI_Send(numbers, 3, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) {
    int row[4] = {0};
    receive(row + 1, 8);
  }
  MPI_Finalize();
  return 0;
}
