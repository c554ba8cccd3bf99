// SPDX-License-Identifier: MIT
//
// The program expects errors, and goes on without the others.
// check: none
// options: --failures 1
// ranks: 2
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (MPI_Barrier(MPI_COMM_WORLD) != MPI_SUCCESS) {
    MPI_Finalize();
    return 0;
  }
  MPI_Finalize();
  return 0;
}
