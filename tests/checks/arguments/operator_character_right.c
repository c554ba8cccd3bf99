// SPDX-License-Identifier: MIT
//
// Signed characters are numbers and have a sum.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  signed char mine = 1, sum = 0;
  MPI_Allreduce(&mine, &sum, 1, MPI_SIGNED_CHAR, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
