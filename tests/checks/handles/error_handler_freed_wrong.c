// SPDX-License-Identifier: MIT
//
// A rank uses an error handler after freeing it.
// check: argument.error_handler
// ranks: 1
#include <mpi.h>

static void handler(MPI_Comm* comm, int* code, ...) { (void)comm, (void)code; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Errhandler made, copy;
  MPI_Comm_create_errhandler(handler, &made);
  copy = made;
  MPI_Errhandler_free(&made);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, copy);  // <- here
  MPI_Finalize();
  return 0;
}
