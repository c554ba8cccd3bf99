// SPDX-License-Identifier: MIT
//
// Rank 0 takes the completed receives in the order in which they complete.
// check: none
// notes: race.wildcard
// ranks: 3
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    int numbers[2], which, sum = 0;
    MPI_Request requests[2];
    for (int i = 0; i < 2; ++i) MPI_Irecv(&numbers[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < 2; ++i) {
      MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE);  // <- here
      sum += numbers[which];
    }
    if (sum != 3) return 1;
  } else {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
