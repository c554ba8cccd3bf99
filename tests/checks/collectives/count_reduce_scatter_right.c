// SPDX-License-Identifier: MIT
//
// All ranks divide the result in the same way.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine[3] = {1, 2, 3}, part[2], counts[2] = {1, 2};
  MPI_Reduce_scatter(mine, part, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
