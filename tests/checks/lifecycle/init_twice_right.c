// SPDX-License-Identifier: MIT
//
// A second call of MPI_Init is avoided by asking.
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
