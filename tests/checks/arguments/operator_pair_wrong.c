// SPDX-License-Identifier: MIT
//
// The place of the largest is asked for, but the type has no place.
// check: argument.operator
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  struct { int value, place; } mine = {rank, rank}, largest = {0, 0};
  MPI_Allreduce(&mine, &largest, 2, MPI_INT, MPI_MAXLOC, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
