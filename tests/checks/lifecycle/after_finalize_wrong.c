// SPDX-License-Identifier: MIT
//
// The program asks for the size after MPI_Finalize.
// check: lifecycle.finalized
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  int number;
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  MPI_Comm_size(MPI_COMM_WORLD, &number);  // <- here
  return 0;
}
