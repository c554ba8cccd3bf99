// SPDX-License-Identifier: MIT
//
// All members add up the same number of elements.
// check: none
// ranks: 3
#include <mpi.h>

int main(int argc, char** argv) {
  double mine[3] = {1, 2, 3}, sum[3];
  MPI_Init(&argc, &argv);
  MPI_Allreduce(mine, sum, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
