// SPDX-License-Identifier: MIT
//
// The root scatters other types than are expected, with varying counts.
// check: collective.signature
// warns: buffer.type
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine[2], all[3] = {1, 2, 3}, counts[2] = {1, 2}, places[2] = {0, 1};
  MPI_Scatterv(all, counts, places, MPI_INT, mine, rank + 1, MPI_FLOAT, 0, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
