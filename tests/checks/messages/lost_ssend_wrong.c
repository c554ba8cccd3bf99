// SPDX-License-Identifier: MIT
//
// A message that MPI_Ssend sent is never received.
// check: deadlock.orphan
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = 1;
  if (rank == 0) {
    MPI_Ssend(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);  // <- here
  }
  MPI_Finalize();
  return 0;
}
