// SPDX-License-Identifier: MIT
//
// Characters are for text: there is no sum of them, but a usual one.
// check: none
// warns: argument.operator.character
// says: is taken for a signed integer here
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  signed char mine = 1, sum = 0;
  MPI_Allreduce(&mine, &sum, 1, MPI_CHAR, MPI_SUM, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
