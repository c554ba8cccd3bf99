// SPDX-License-Identifier: MIT
//
// A rank sends synchronously to itself and receives afterwards.
// check: deadlock.cycle deadlock.orphan
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int sent = rank, received;
  MPI_Ssend(&sent, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);  // <- here
  MPI_Recv(&received, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
