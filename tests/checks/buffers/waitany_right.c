// SPDX-License-Identifier: MIT
//
// After MPI_Waitany only the buffer of the operation that it names is written.
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
  int index;
  MPI_Irecv(taken, 4, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(given, 4, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
  if (index == 0) given[0] = 10;
  else taken[0] = -1;
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
