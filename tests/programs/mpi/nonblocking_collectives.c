// SPDX-License-Identifier: MIT
//
// Several collectives and a message pending at once, completed together.
// ranks: 3
// executions: 1
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, size, sum, from_zero, got = -1;
  MPI_Request requests[5];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  from_zero = rank == 0 ? 5 : 0;
  MPI_Irecv(&got, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
  MPI_Ibcast(&from_zero, 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[2]);
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[3]);
  MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[4]);
  MPI_Waitall(5, requests, MPI_STATUSES_IGNORE);
  assert(sum == 3 && from_zero == 5 && got == (rank + size - 1) % size);
  MPI_Finalize();
  return 0;
}
