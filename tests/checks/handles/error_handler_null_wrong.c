// SPDX-License-Identifier: MIT
//
// A communicator is given no error handler.
// check: argument.error_handler
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRHANDLER_NULL);  // <- here
  MPI_Finalize();
  return 0;
}
