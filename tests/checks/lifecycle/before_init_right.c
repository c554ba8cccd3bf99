// SPDX-License-Identifier: MIT
//
// The program may call MPI_Initialized before MPI_Init.
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
