// SPDX-License-Identifier: MIT
//
// A level of thread support that exists.
// check: none
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Finalize();
  return 0;
}
