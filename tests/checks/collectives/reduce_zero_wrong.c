// SPDX-License-Identifier: MIT
//
// One member has nothing to add up: the counts differ.
// check: collective.count
// ranks: 3
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  double mine[3] = {1, 2, 3}, sum[3];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(mine, sum, rank == 2 ? 0 : 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
