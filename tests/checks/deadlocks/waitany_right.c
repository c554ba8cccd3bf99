// SPDX-License-Identifier: MIT
//
// One of two receives can complete.
// check: none
// ranks: 3
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int numbers[2], index;
  MPI_Request requests[2];
  if (rank == 0) {
    for (int i = 0; i < 2; ++i) MPI_Irecv(&numbers[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &requests[i]);
    for (int i = 1; i < 3; ++i) MPI_Send(&rank, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 2; ++i) MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(&numbers[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
