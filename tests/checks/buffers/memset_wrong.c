// SPDX-License-Identifier: MIT
//
// memset clears the buffer of a pending receive.
// check: buffer.written
// ranks: 2
// compile: --check-memory
#include <mpi.h>
#include <string.h>

int main(int argc, char** argv) {
  int rank, given[40] = {1}, taken[40];
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Irecv(taken, 40, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(given, 40, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
  memset(taken, 0, sizeof taken);  // <- here
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
