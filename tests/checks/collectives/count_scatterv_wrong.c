// SPDX-License-Identifier: MIT
//
// The root gives a rank three numbers, and it expects two.
// check: collective.count
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine[3], all[5] = {1, 2, 3, 4, 5}, counts[2] = {2, 3}, places[2] = {0, 2};
  MPI_Scatterv(all, counts, places, MPI_INT, mine, 2, MPI_INT, 0, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
