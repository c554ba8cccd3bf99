// SPDX-License-Identifier: MIT
//
// One of the counts of a gather is negative.
// check: argument.count
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine = rank, all[2], places[2] = {0, 1};
  int counts[2] = {1, -1};
  MPI_Gatherv(&mine, 1 - rank, MPI_INT, all, counts, places, MPI_INT, 0, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
