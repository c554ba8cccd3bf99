// SPDX-License-Identifier: MIT
//
// A level of thread support that does not exist.
// check: argument.value
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, 17, &provided);  // <- here
  MPI_Finalize();
  return 0;
}
