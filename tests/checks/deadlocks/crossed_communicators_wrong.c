// SPDX-License-Identifier: MIT
//
// Two ranks wait for each other's messages in different communicators.
// check: deadlock.cycle
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = rank;
  MPI_Comm other;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  MPI_Ssend(&number, 1, MPI_INT, 1 - rank, 0, rank == 0 ? other : MPI_COMM_WORLD);  // <- here
  MPI_Recv(&number, 1, MPI_INT, 1 - rank, 0, rank == 0 ? other : MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Comm_free(&other);
  MPI_Finalize();
  return 0;
}
