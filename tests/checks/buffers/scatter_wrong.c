// SPDX-License-Identifier: MIT
//
// The root of an MPI_Scatter gets its part into what it gives.
// check: buffer.overlap
// ranks: 2
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  int all[4] = {1, 2, 3, 4};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Scatter(all, 2, MPI_INT, all + 1, 2, MPI_INT, 0, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
