// SPDX-License-Identifier: MIT
//
// The first of two receives takes from anybody, the second needs rank 1: in one order it never comes.
// check: deadlock.orphan deadlock.cycle
// ranks: 3
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int numbers[2], sent = rank;
  MPI_Request requests[2];
  if (rank > 0) MPI_Send(&sent, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Irecv(&numbers[0], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&numbers[1], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);  // <- here
  }
  MPI_Finalize();
  return 0;
}
