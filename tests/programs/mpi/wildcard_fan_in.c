// SPDX-License-Identifier: MIT
//
// Three senders, wildcard receives: every order is possible and none is wrong.
// ranks: 4
// executions: 6
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, size, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 1; rank == 0 && i < size; ++i) {
    int value;
    MPI_Status status;
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    assert(value == status.MPI_SOURCE && status.MPI_TAG == 10 * value);
    sum += value;
  }
  if (rank > 0) MPI_Send(&rank, 1, MPI_INT, 0, 10 * rank, MPI_COMM_WORLD);
  if (rank == 0) assert(sum == size * (size - 1) / 2);
  MPI_Finalize();
  return 0;
}
