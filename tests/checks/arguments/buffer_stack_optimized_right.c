// SPDX-License-Identifier: MIT
//
// Four doubles are sent from four on the stack, in an optimized program.
// check: none
// compile: -O2
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double numbers[4] = {1, 2, 3, 4};
  double there[8];
  if (rank == 0) MPI_Send(numbers, 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(there, 8, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
