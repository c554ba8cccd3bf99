// SPDX-License-Identifier: MIT
//
// The ranks name different roots of the gather.
// check: collective.root
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine = 1, all[2];
  MPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, rank, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
