// SPDX-License-Identifier: MIT
//
// A gather's root has room for its own element only.
// check: argument.buffer
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double* all = malloc(sizeof(double));
  double mine = rank;
  MPI_Gather(&mine, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);  // <- here
  free(all);
  MPI_Finalize();
  return 0;
}
