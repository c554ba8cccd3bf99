// SPDX-License-Identifier: MIT
//
// The program sends unsigned numbers as signed ones.
// check: none
// notes: buffer.signedness
// says: buf is passed as MPI_INT, but the variable numbers (unsigned int[4]) has unsigned int there
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  unsigned numbers[4] = {1, 2, 3, 4};
  if (rank == 0) MPI_Send(numbers, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);  // <- here
  if (rank == 1) MPI_Recv(numbers, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // <- here
  MPI_Finalize();
  return 0;
}
