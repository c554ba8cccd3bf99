// SPDX-License-Identifier: MIT
//
// Four doubles on the stack are sent as eight integers.
// check: none
// warns: buffer.type
// says: buf is passed as MPI_INT, but the variable numbers (double[4]) has double there
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double numbers[4] = {1, 2, 3, 4};
  if (rank == 0) MPI_Send(numbers, 8, MPI_INT, 1, 0, MPI_COMM_WORLD);  // <- here
  if (rank == 1) MPI_Recv(numbers, 8, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // <- here
  MPI_Finalize();
  return 0;
}
