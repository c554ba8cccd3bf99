// SPDX-License-Identifier: MIT
//
// Has 20 MB of zeros, and looks at one page of them.
#include <mpi.h>

static char zeros[20 << 20];

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  zeros[sizeof zeros / 2] = (char)rank;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
