// SPDX-License-Identifier: MIT
//
// The program asks for its rank before MPI_Init.
// check: lifecycle.not_initialized
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  int number, flag;
  MPI_Comm_rank(MPI_COMM_WORLD, &number);  // <- here
  MPI_Initialized(&flag);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &number);
  MPI_Finalize();
  return 0;
}
