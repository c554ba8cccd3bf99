// SPDX-License-Identifier: MIT
//
// A global array of floats is reduced as integers.
// check: none
// warns: buffer.type
// says: recvbuf is passed as MPI_INT, but the variable heights (float[4]) has float there
#include <mpi.h>

static float heights[4];

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 4; ++i) heights[i] = (float)rank;
  MPI_Allreduce(MPI_IN_PLACE, heights, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
