// SPDX-License-Identifier: MIT
//
// The program waits until all are there.
// check: none
// ranks: 3
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int numbers[2], count, indices[2];
  MPI_Request requests[2];
  if (rank > 0) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    for (int i = 0; i < 2; ++i) MPI_Irecv(&numbers[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &requests[i]);
    for (int done = 0; done < 2; done += count) MPI_Waitsome(2, requests, &count, indices, MPI_STATUSES_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
