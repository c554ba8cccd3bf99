// SPDX-License-Identifier: MIT
//
// The buffer of a send whose request was freed is written after the answer to the message.
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
  MPI_Isend(given, 4, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Request_free(&requests[0]);
  MPI_Recv(taken, 4, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(taken, 0, MPI_INT, other, 1, taken, 0, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  given[0] = 9;
  MPI_Finalize();
  return 0;
}
