// SPDX-License-Identifier: MIT
//
// Each expects as much as the root gives it.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine[3], all[5] = {1, 2, 3, 4, 5}, counts[2] = {2, 3}, places[2] = {0, 2};
  MPI_Scatterv(all, counts, places, MPI_INT, mine, 2 + rank, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
