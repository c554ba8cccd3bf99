// SPDX-License-Identifier: MIT
//
// Rank r has the number r + 1.
#include <assert.h>
#include <mpi.h>
#include <stdio.h>

int ring_sum(int mine, MPI_Comm comm);

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int sum = ring_sum(rank + 1, MPI_COMM_WORLD);
  printf("rank %d: %d\n", rank, sum);
  assert(sum == size * (size + 1) / 2);
  MPI_Finalize();
  return 0;
}
