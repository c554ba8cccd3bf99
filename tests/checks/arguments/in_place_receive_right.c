// SPDX-License-Identifier: MIT
//
// MPI_IN_PLACE is the send buffer of an allgather.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int numbers[2] = {rank, rank};
  MPI_Allgather(MPI_IN_PLACE, 1, MPI_INT, numbers, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
