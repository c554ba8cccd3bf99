// SPDX-License-Identifier: MIT
//
// The datatype stands before the operator.
// check: none
// ranks: 1
// compile: -w
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int number = 1, sum = 0;
  MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
