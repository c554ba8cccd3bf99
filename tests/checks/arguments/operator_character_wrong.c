// SPDX-License-Identifier: MIT
//
// Characters are for text: there is no sum of them.
// check: argument.operator
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  signed char mine = 1, sum = 0;
  MPI_Allreduce(&mine, &sum, 1, MPI_CHAR, MPI_SUM, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
