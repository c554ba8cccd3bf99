// SPDX-License-Identifier: MIT
//
// Ids that are neither in order nor consecutive. Argument: a number that shuffles them.
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int elect(int id, MPI_Comm comm);

int main(int argc, char** argv) {
  int rank, size, largest = -1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int shuffle = argc > 1 ? atoi(argv[1]) : 0;
  for (int other = 0; other < size; ++other) {
    const int id = 1000 + (other * 7 + shuffle * 5) % 23 * 13;
    if (id > largest) largest = id;
  }
  const int leader = elect(1000 + (rank * 7 + shuffle * 5) % 23 * 13, MPI_COMM_WORLD);
  assert(leader == largest);
  if (rank == 0) printf("the leader is %d\n", leader);
  MPI_Finalize();
  return 0;
}
