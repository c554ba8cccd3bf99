// SPDX-License-Identifier: MIT
//
// Who becomes the root is told to all.
// check: none
// ranks: 3
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int root = rank;
  if (rank > 0) MPI_Send(&root, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    int second;
    MPI_Recv(&root, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Bcast(&root, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Bcast(&rank, 1, MPI_INT, root, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
