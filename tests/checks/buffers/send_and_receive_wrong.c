// SPDX-License-Identifier: MIT
//
// A pending send and a pending receive use one buffer.
// check: buffer.overlap
// ranks: 2
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  int numbers[4] = {1, 2, 3, 4};
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  MPI_Isend(numbers, 4, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(numbers, 4, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[1]);  // <- here
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
