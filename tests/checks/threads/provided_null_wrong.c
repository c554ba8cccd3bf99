// SPDX-License-Identifier: MIT
//
// The level that is provided is written nowhere.
// check: argument.value
// ranks: 1
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, NULL);  // <- here
  MPI_Finalize();
  return 0;
}
