// SPDX-License-Identifier: MIT
//
// All expect what is given.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine[2] = {1, 2}, all[3], counts[2] = {1, 2}, places[2] = {0, 1};
  MPI_Datatype type = MPI_INT;
  MPI_Allgatherv(mine, rank + 1, type, all, counts, places, MPI_INT, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
