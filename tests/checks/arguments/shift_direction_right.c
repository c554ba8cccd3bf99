// SPDX-License-Identifier: MIT
//
// A shift along the first dimension of a line.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int sizes[1] = {2}, periods[1] = {0}, from, to;
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, periods, 0, &grid);
  MPI_Cart_shift(grid, 0, 1, &from, &to);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
