// SPDX-License-Identifier: MIT
//
// A message is received beside what an MPI_Ibcast has not brought yet.
// check: none
// ranks: 2
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  int numbers[4] = {1, 2, 3, 4}, given = 5;
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  MPI_Ibcast(numbers, 2, MPI_INT, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&numbers[2], 1, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Send(&given, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
