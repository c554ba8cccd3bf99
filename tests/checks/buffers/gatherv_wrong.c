// SPDX-License-Identifier: MIT
//
// The blocks of an MPI_Gatherv overlap at the root.
// check: buffer.overlap
// ranks: 2
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  int given[2] = {1, 2}, taken[4], counts[2] = {2, 2}, displacements[2] = {0, 1};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Gatherv(given, 2, MPI_INT, taken, counts, displacements, MPI_INT, 0, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
