// SPDX-License-Identifier: MIT
//
// The ranks disagree on the lengths of each other's pieces.
// check: collective.count
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine[2] = {1, 2}, all[4], counts[2] = {1, 1 + rank}, places[2] = {0, 2};
  MPI_Allgatherv(mine, rank + 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
