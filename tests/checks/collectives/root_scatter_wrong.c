// SPDX-License-Identifier: MIT
//
// The ranks name different roots of the scatter.
// check: collective.root
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int all[2] = {1, 2}, mine;
  MPI_Scatter(all, 1, MPI_INT, &mine, 1, MPI_INT, rank, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
