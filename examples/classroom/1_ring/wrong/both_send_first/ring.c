// SPDX-License-Identifier: MIT
//
// All ranks send before they receive: a deadlock if a send waits until it is received.
#include <mpi.h>

int ring_sum(int mine, MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  int sum = mine;
  for (int step = 1; step < size; ++step) {
    MPI_Send(&mine, 1, MPI_INT, (rank + 1) % size, 0, comm);
    MPI_Recv(&mine, 1, MPI_INT, (rank + size - 1) % size, 0, comm, MPI_STATUS_IGNORE);
    sum += mine;
  }
  return sum;
}
