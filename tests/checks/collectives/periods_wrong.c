// SPDX-License-Identifier: MIT
//
// The ranks make grids that are closed in different directions.
// check: collective.signature
// says: they pass different periods ({0, 1} and {1, 1}) as the 1st collective on MPI_COMM_WORLD
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int shape[2] = {1, 2}, periods[2] = {rank, 1};
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 2, shape, periods, 0, &grid);  // <- here
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
