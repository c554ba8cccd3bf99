// SPDX-License-Identifier: MIT
//
// The root has elements for ranks 0 and 1 only, and the other ranks receive none.
// check: none
// ranks: 4
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int counts[] = {2, 2, 0, 0}, places[] = {0, 2, 4, 4};
  double all[4] = {1, 2, 3, 4}, mine[2];
  const int count = counts[rank];
  MPI_Scatterv(all, counts, places, MPI_DOUBLE, mine, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
