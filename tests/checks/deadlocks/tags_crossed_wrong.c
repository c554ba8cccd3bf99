// SPDX-License-Identifier: MIT
//
// Two synchronous sends are received in the other order.
// check: deadlock.cycle
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int first = 1, second = 2;
  if (rank == 0) {
    MPI_Ssend(&first, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);  // <- here
    MPI_Ssend(&second, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&second, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // <- here
    MPI_Recv(&first, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
