// SPDX-License-Identifier: MIT
//
// What the buffer of a pending send holds is stored there again.
// check: buffer.written
// ranks: 2
// compile: --check-memory
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  int given[4] = {1, 2, 3, 4}, taken[4] = {0};
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  MPI_Irecv(taken, 4, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(given, 4, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[0]);
  given[1] = 2;  // <- here
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
