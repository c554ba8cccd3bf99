// SPDX-License-Identifier: MIT
//
// Sends integers, receives floats: the bytes arrive, the program is wrong.
// run: fails
// check: violation message.type
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, value = 1;
  float other;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(&other, 1, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
