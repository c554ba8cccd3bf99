// SPDX-License-Identifier: MIT
//
// The dimensions of a grid are asked for.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int sizes[1] = {2}, periods[1] = {0}, places[1];
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, periods, 0, &grid);
  MPI_Cart_get(grid, 1, sizes, periods, places);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
