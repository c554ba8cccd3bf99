// SPDX-License-Identifier: MIT
//
// The program adds values of type MPI_CHAR, which is for text.
// check: none
// warns: argument.operator.character
// says: Rehearse uses it as a signed integer
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  signed char mine = 1, sum = 0;
  MPI_Allreduce(&mine, &sum, 1, MPI_CHAR, MPI_SUM, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
