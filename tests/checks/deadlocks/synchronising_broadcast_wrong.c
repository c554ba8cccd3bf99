// SPDX-License-Identifier: MIT
//
// The root sends behind a broadcast that the other joins only afterwards: it may wait in the broadcast.
// check: deadlock.collective
// options: --collectives synchronising
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = 1;
  if (rank == 0) {
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);  // <- here
    MPI_Send(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // <- here
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
