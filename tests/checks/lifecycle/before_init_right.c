// SPDX-License-Identifier: MIT
//
// Whether MPI_Init was called may be asked before.
// check: none
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  int number, flag;
  MPI_Initialized(&flag);
  if (!flag) MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &number);
  MPI_Finalize();
  return 0;
}
