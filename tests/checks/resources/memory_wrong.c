// SPDX-License-Identifier: MIT
//
// Memory from MPI_Alloc_mem is never freed.
// check: none
// warns: resource.memory
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double* numbers;
  MPI_Alloc_mem(10 * sizeof(double), MPI_INFO_NULL, &numbers);  // <- here
  numbers[0] = 1;
  MPI_Finalize();
  return 0;
}
