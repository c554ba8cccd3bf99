// SPDX-License-Identifier: MIT
//
// A pair of a floating-point number and an integer is received as two integers.
// check: message.type
// warns: buffer.type
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  struct { int value, place; } data[2] = {{1, 2}, {3, 4}};
  if (rank == 0) MPI_Send(data, 2, MPI_2INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(data, 2, MPI_FLOAT_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // <- here
  MPI_Finalize();
  return 0;
}
