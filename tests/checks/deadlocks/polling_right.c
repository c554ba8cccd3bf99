// SPDX-License-Identifier: MIT
//
// A rank polls for a message that comes.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int found = 0, number = 1;
  if (rank == 0) {
    while (!found) MPI_Iprobe(1, 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    MPI_Recv(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
