// SPDX-License-Identifier: MIT
//
// MPI_REPLACE is for one-sided communication.
// check: argument.operator
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine = rank, last = 0;
  MPI_Allreduce(&mine, &last, 1, MPI_INT, MPI_REPLACE, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
