// SPDX-License-Identifier: MIT
//
// A sum that goes around.
#include <mpi.h>

int ring_sum(int mine, MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;

  int sum = mine, passing = mine;
  for (int step = 1; step < size; ++step) {
    int from_left;
    MPI_Sendrecv(&passing, 1, MPI_INT, right, 0, &from_left, 1, MPI_INT, left, 0, comm, MPI_STATUS_IGNORE);
    sum += from_left;
    passing = from_left;
  }
  return sum;
}
