// SPDX-License-Identifier: MIT
//
// Six ranks can form a grid with two rows.
// check: none
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int sizes[2] = {2, 0};
  MPI_Dims_create(6, 2, sizes);
  MPI_Finalize();
  return 0;
}
