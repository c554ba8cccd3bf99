// SPDX-License-Identifier: MIT
//
// The ranks make grids of different shapes.
// check: collective.signature
// says: they pass different dims ({1, 2} and {2, 1}) as the 1st collective
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int shape[2] = {1 + rank, 2 - rank}, periods[2] = {0, 0};
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 2, shape, periods, 0, &grid);  // <- here
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
