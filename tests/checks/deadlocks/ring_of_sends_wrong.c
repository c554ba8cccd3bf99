// SPDX-License-Identifier: MIT
//
// In a ring of four, all send before they receive, and nothing is buffered.
// check: deadlock.cycle
// ranks: 4
// options: --buffering zero
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int sent = rank, received;
  MPI_Send(&sent, 1, MPI_INT, (rank + 1) % 4, 0, MPI_COMM_WORLD);  // <- here
  MPI_Recv(&received, 1, MPI_INT, (rank + 3) % 4, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
