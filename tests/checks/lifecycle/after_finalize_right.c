// SPDX-License-Identifier: MIT
//
// Whether MPI_Finalize was called may be asked after it.
// check: none
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  int number;
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  MPI_Finalized(&number);
  return 0;
}
