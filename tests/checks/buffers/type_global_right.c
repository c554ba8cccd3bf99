// SPDX-License-Identifier: MIT
//
// A global array of floats is reduced as floats.
// check: none
#include <mpi.h>

static float heights[4];

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 4; ++i) heights[i] = (float)rank;
  MPI_Allreduce(MPI_IN_PLACE, heights, 4, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
