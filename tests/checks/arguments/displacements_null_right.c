// SPDX-License-Identifier: MIT
//
// A gather with counts and displacements.
// check: none
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine = rank, all[2], counts[2] = {1, 1}, places[2] = {0, 1};
  MPI_Gatherv(&mine, 1, MPI_INT, all, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
