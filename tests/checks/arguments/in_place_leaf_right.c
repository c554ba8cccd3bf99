// SPDX-License-Identifier: MIT
//
// The root of a gather says MPI_IN_PLACE: its part is there already.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int numbers[2] = {rank, rank};
  MPI_Gather(rank == 0 ? MPI_IN_PLACE : &numbers[1], 1, MPI_INT, numbers, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
