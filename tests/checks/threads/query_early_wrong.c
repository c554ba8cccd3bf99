// SPDX-License-Identifier: MIT
//
// The level of thread support is asked for before it is known.
// check: lifecycle.not_initialized
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  int provided;
  MPI_Query_thread(&provided);  // <- here
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Finalize();
  return 0;
}
