// SPDX-License-Identifier: MIT
//
// A grid of negative length.
// check: argument.dimensions
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int periods[1] = {0}, sizes[1] = {-2};
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, periods, 0, &grid);  // <- here
  if (grid != MPI_COMM_NULL) MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
