// SPDX-License-Identifier: MIT
//
// A negative colour that is not MPI_UNDEFINED.
// check: argument.value
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm part;
  MPI_Comm_split(MPI_COMM_WORLD, -rank - 1, 0, &part);  // <- here
  if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
  MPI_Finalize();
  return 0;
}
