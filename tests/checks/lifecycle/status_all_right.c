// SPDX-License-Identifier: MIT
//
// All ranks end with status 0.
// check: none
// ranks: 3
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  exit(0);
}
