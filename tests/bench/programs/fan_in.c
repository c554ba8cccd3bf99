// SPDX-License-Identifier: MIT
//
// Every rank but 0 sends it one message; rank 0 receives them from any source: (n-1)! executions.
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size, data;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0)
    for (int i = 1; i < size; ++i)
      MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
