// SPDX-License-Identifier: MIT
//
// A rank sends in ready mode before its receive is certain to be posted.
// check: message.not_ready
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = 1;
  if (rank == 0) MPI_Rsend(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);  // <- here
  if (rank == 1) MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
