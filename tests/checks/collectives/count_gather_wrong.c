// SPDX-License-Identifier: MIT
//
// A rank gives the root less than it expects, which only a message may.
// check: collective.count
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine[2] = {1, 2}, all[4];
  MPI_Gather(mine, 2 - rank, MPI_INT, all, 2, MPI_INT, 0, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
