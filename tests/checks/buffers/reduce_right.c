// SPDX-License-Identifier: MIT
//
// With MPI_IN_PLACE the results of an MPI_Allreduce replace its operands.
// check: none
// ranks: 2
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  int all[4] = {1, 2, 3, 4};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(MPI_IN_PLACE, all, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
