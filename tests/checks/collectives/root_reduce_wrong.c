// SPDX-License-Identifier: MIT
//
// The ranks name different roots of the reduction.
// check: collective.root
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine = 1, sum;
  MPI_Reduce(&mine, &sum, 1, MPI_INT, MPI_SUM, rank, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
