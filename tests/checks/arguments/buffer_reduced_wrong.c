// SPDX-License-Identifier: MIT
//
// Each rank has room for a part of the sums that is smaller than the part it gets.
// check: argument.buffer
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  int* sums = malloc(2 * sizeof(int));
  MPI_Reduce_scatter_block(numbers, sums, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);  // <- here
  free(sums);
  MPI_Finalize();
  return 0;
}
