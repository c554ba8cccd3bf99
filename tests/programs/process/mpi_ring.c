// SPDX-License-Identifier: MIT
//
// A token around the ring, then a sum; an assertion that fails on rank 2 where an argument is given.
#include <assert.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank = 0, size = 0, token = 0, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) MPI_Send(&rank, 1, MPI_INT, 1 % size, 7, MPI_COMM_WORLD);
  MPI_Recv(&token, 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  token += rank;
  assert(argc == 1 || rank != 2);
  if (rank != 0) MPI_Send(&token, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD);
  MPI_Allreduce(&token, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  printf("%d %d", token, sum);
  MPI_Finalize();
  return 0;
}
