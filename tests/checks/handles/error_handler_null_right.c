// SPDX-License-Identifier: MIT
//
// A communicator is given a predefined error handler.
// check: none
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Finalize();
  return 0;
}
