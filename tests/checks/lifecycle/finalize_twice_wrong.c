// SPDX-License-Identifier: MIT
//
// MPI_Finalize is called twice.
// check: lifecycle.finalized
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  MPI_Finalize();  // <- here
  return 0;
}
