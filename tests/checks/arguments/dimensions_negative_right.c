// SPDX-License-Identifier: MIT
//
// A grid of no dimensions has one place.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int periods[1] = {0}, sizes[1] = {-2};
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 0, sizes, periods, 0, &grid);
  if (grid != MPI_COMM_NULL) MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
