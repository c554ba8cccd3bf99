// SPDX-License-Identifier: MIT
//
// Sends one message that nobody receives, from each rank except rank 0.
#include <mpi.h>

int ring_sum(int mine, MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  int sum = mine;
  for (int step = 1; step < size; ++step) {
    MPI_Sendrecv_replace(&mine, 1, MPI_INT, right, 0, left, 0, comm, MPI_STATUS_IGNORE);
    sum += mine;
  }
  if (rank != 0) MPI_Send(&mine, 1, MPI_INT, right, 0, comm);
  return sum;
}
