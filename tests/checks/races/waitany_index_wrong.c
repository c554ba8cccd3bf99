// SPDX-License-Identifier: MIT
//
// The program believes that its first request completes first.
// check: assertion.failed
// ranks: 3
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int numbers[2], index;
  MPI_Request requests[2];
  if (rank > 0) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    for (int i = 0; i < 2; ++i) MPI_Irecv(&numbers[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    assert(index == 0);  // <- here
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
