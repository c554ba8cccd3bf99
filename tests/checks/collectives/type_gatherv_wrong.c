// SPDX-License-Identifier: MIT
//
// The root gathers other types than are given, with varying counts.
// check: collective.signature
// warns: buffer.type
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine[2] = {1, 2}, all[3], counts[2] = {1, 2}, places[2] = {0, 1};
  MPI_Gatherv(mine, rank + 1, MPI_FLOAT, all, counts, places, MPI_INT, 0, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
