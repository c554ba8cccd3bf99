// SPDX-License-Identifier: MIT
//
// A broadcast of two integers names a variable of one.
// check: argument.buffer
// says: the variable steps (int) there ends after 4 bytes
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int steps = rank;
  MPI_Bcast(&steps, 2, MPI_INT, 0, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
