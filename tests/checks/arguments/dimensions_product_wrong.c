// SPDX-License-Identifier: MIT
//
// A grid has more places than there are ranks.
// check: argument.dimensions
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int periods[2] = {0, 0};
  int sizes[2] = {2, 2};
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 0, &grid);  // <- here
  if (grid != MPI_COMM_NULL) MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
