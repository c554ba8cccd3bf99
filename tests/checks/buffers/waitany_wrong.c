// SPDX-License-Identifier: MIT
//
// After MPI_Waitany the buffers of both operations are written.
// check: buffer.touched
// ranks: 2
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  int given[4] = {1, 2, 3, 4}, taken[4] = {0};
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  int index;
  MPI_Irecv(taken, 4, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(given, 4, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
  given[0] = 10;
  taken[0] = -1;
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);  // <- here
  MPI_Finalize();
  return 0;
}
