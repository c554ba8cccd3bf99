// SPDX-License-Identifier: MIT
//
// A rank probes for a tag that nobody uses.
// check: deadlock.orphan deadlock.cycle
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = 1;
  if (rank == 0) MPI_Send(&number, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Probe(0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // <- here
    MPI_Recv(&number, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
