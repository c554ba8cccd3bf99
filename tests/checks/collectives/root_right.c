// SPDX-License-Identifier: MIT
//
// All name the same root of the broadcast.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank = 0, number = 7;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Bcast(&number, 1, MPI_INT, 1, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
