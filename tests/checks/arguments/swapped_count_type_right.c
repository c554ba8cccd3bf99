// SPDX-License-Identifier: MIT
//
// The count stands before the datatype.
// check: none
// ranks: 1
// compile: -w
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int numbers[4] = {1, 2, 3, 4};
  MPI_Bcast(numbers, 4, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
