// SPDX-License-Identifier: MIT
//
// The receive waits for rank 2, and rank 0 has sent the message.
// check: deadlock.orphan deadlock.cycle
// ranks: 3
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = 1;
  if (rank == 0) MPI_Send(&number, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(&number, 1, MPI_INT, 2, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // <- here
  MPI_Finalize();
  return 0;
}
