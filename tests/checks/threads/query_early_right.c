// SPDX-License-Identifier: MIT
//
// The level of thread support is asked for once it is known.
// check: none
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Query_thread(&provided);
  MPI_Finalize();
  return 0;
}
