// SPDX-License-Identifier: MIT
//
// A message that nobody receives.
// run: fails
// check: violation message.lost
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, value = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
