// SPDX-License-Identifier: MIT
//
// The place of the largest, with a type that has one.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  struct { int value, place; } mine = {rank, rank}, largest = {0, 0};
  MPI_Allreduce(&mine, &largest, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
