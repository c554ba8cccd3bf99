// SPDX-License-Identifier: MIT
//
// Seven ranks cannot form a grid with two rows.
// check: argument.dimensions
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int sizes[2] = {2, 0};
  MPI_Dims_create(7, 2, sizes);  // <- here
  MPI_Finalize();
  return 0;
}
