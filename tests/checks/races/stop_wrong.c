// SPDX-License-Identifier: MIT
//
// A worker may take the message to stop before its work.
// check: message.lost deadlock.orphan
// ranks: 3
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = 1, stop = 0;
  if (rank == 1) MPI_Send(&number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);  // <- here
  if (rank == 2) MPI_Send(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (rank == 0)
    while (!stop) {
      MPI_Status status;
      MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      stop = status.MPI_TAG == 0;
    }
  MPI_Finalize();
  return 0;
}
