// SPDX-License-Identifier: MIT
//
// In a ring of four, neighbours take turns.
// check: none
// ranks: 4
// options: --buffering zero
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int sent = rank, received;
  if (rank % 2 == 0) MPI_Send(&sent, 1, MPI_INT, (rank + 1) % 4, 0, MPI_COMM_WORLD);
  MPI_Recv(&received, 1, MPI_INT, (rank + 3) % 4, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank % 2 == 1) MPI_Send(&sent, 1, MPI_INT, (rank + 1) % 4, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
