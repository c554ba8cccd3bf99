// SPDX-License-Identifier: MIT
//
// The root broadcasts numbers, and floating-point numbers are expected.
// check: collective.signature
// warns: buffer.type
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = 1;
  MPI_Bcast(&number, 1, rank == 0 ? MPI_INT : MPI_FLOAT, 0, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
