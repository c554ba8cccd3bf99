// SPDX-License-Identifier: MIT
//
// The program may call MPI_Finalized after MPI_Finalize.
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
