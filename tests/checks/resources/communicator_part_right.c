// SPDX-License-Identifier: MIT
//
// Both halves of the ranks free their part.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm part;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &part);
  MPI_Comm_free(&part);
  MPI_Finalize();
  return 0;
}
