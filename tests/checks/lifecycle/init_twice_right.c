// SPDX-License-Identifier: MIT
//
// The program calls MPI_Initialized and so avoids a second MPI_Init.
// check: none
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  int flag;
  MPI_Init(&argc, &argv);
  MPI_Initialized(&flag);
  if (!flag) MPI_Init(&argc, &argv);
  MPI_Finalize();
  return 0;
}
