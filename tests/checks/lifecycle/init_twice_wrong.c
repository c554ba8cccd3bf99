// SPDX-License-Identifier: MIT
//
// MPI_Init is called twice.
// check: lifecycle.initialized_twice
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  int flag;
  MPI_Init(&argc, &argv);
  MPI_Initialized(&flag);
  MPI_Init(&argc, &argv);  // <- here
  MPI_Finalize();
  return 0;
}
