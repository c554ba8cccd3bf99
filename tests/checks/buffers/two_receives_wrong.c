// SPDX-License-Identifier: MIT
//
// Two pending receives have an element in common.
// check: buffer.overlap.receives
// ranks: 2
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  int given[2] = {1, 2}, taken[4];
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  MPI_Irecv(taken, 2, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(taken + 1, 2, MPI_INT, other, 1, MPI_COMM_WORLD, &requests[1]);  // <- here
  MPI_Request sends[2];
  MPI_Isend(given, 2, MPI_INT, other, 0, MPI_COMM_WORLD, &sends[0]);
  MPI_Isend(given, 2, MPI_INT, other, 1, MPI_COMM_WORLD, &sends[1]);
  MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
