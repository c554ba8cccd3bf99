// SPDX-License-Identifier: MIT
//
// A place outside of a grid that wraps around is one inside.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int sizes[1] = {2}, periods[1] = {1}, place[1] = {2}, owner;
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, periods, 0, &grid);
  MPI_Cart_rank(grid, place, &owner);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
