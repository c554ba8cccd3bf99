// SPDX-License-Identifier: MIT
//
// No deadlock, but the numbers go around one after the other: twice as many ranks take four times as long.
#include <mpi.h>

int ring_sum(int mine, MPI_Comm comm) {
  int rank, size, sum = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  for (int first = 0; first < size; ++first) {
    int number = mine;
    if (rank != first) MPI_Recv(&number, 1, MPI_INT, left, 0, comm, MPI_STATUS_IGNORE);
    if (right != first) MPI_Send(&number, 1, MPI_INT, right, 0, comm);
    sum += number;
    MPI_Barrier(comm);
  }
  return sum;
}
