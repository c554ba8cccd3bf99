// SPDX-License-Identifier: MIT
//
// Each gives as much as the root expects of it.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine[3] = {1, 2, 3}, all[4], counts[2] = {2, 2}, places[2] = {0, 2};
  MPI_Gatherv(mine, 2, MPI_INT, all, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
