// SPDX-License-Identifier: MIT
//
// Each rank names itself the root of a broadcast of an array that nobody wrote.
// check: collective.root
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, numbers[128];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Bcast(numbers, 128, MPI_INT, rank, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
