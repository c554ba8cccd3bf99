// SPDX-License-Identifier: MIT
//
// MPI is started again after its end.
// check: lifecycle.finalized
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  MPI_Init(&argc, &argv);  // <- here
  MPI_Finalize();
  return 0;
}
