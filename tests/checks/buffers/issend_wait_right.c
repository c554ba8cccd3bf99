// SPDX-License-Identifier: MIT
//
// The buffer of a synchronous send is written after the wait for it.
// check: none
// ranks: 2
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  int given[4] = {1, 2, 3, 4}, taken[4] = {0};
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  MPI_Irecv(taken, 4, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Issend(given, 4, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  given[0] = taken[0] + 8;
  MPI_Finalize();
  return 0;
}
