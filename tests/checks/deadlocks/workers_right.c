// SPDX-License-Identifier: MIT
//
// Each worker is given work.
// check: none
// ranks: 3
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int work = 1;
  if (rank == 0) {
    for (int i = 1; i < 3; ++i) MPI_Send(&work, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
    for (int i = 1; i < 3; ++i) MPI_Recv(&work, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(&work, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&work, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
