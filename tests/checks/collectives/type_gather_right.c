// SPDX-License-Identifier: MIT
//
// The root gathers what is given.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  float mine = 1;
  float all[2];
  MPI_Gather(&mine, 1, MPI_FLOAT, all, 1, MPI_FLOAT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
