// SPDX-License-Identifier: MIT
//
// In a ring of three, all receive before they send.
// check: deadlock.cycle
// ranks: 3
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int sent = rank, received;
  MPI_Recv(&received, 1, MPI_INT, (rank + 2) % 3, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // <- here
  MPI_Send(&sent, 1, MPI_INT, (rank + 1) % 3, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
