// SPDX-License-Identifier: MIT
//
// The program looks until the message is there.
// check: none
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = 1, found = 0;
  if (rank == 1) MPI_Send(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    while (!found) MPI_Iprobe(1, 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    MPI_Recv(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
