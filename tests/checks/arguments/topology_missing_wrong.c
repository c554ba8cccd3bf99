// SPDX-License-Identifier: MIT
//
// The dimensions of a communicator that is no grid are asked for.
// check: argument.topology
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int sizes[1] = {2}, periods[1] = {0}, places[1];
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, periods, 0, &grid);
  MPI_Cart_get(MPI_COMM_WORLD, 1, sizes, periods, places);  // <- here
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
