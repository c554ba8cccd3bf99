// SPDX-License-Identifier: MIT
//
// The level that is provided is written to a variable.
// check: none
// ranks: 1
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Finalize();
  return 0;
}
