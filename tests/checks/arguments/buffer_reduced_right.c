// SPDX-License-Identifier: MIT
//
// Each rank has room for its part of the sums, not for all of them.
// check: none
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  int* sums = malloc(4 * sizeof(int));
  MPI_Reduce_scatter_block(numbers, sums, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  free(sums);
  MPI_Finalize();
  return 0;
}
