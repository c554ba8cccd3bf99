// SPDX-License-Identifier: MIT
//
// Each rank believes that it is the root of the broadcast.
// check: collective.root
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, number = 7;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Bcast(&number, 1, MPI_INT, rank, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
