// SPDX-License-Identifier: MIT
//
// A rank may free an error handler that is in use.
// check: none
// ranks: 1
#include <mpi.h>

static void handler(MPI_Comm* comm, int* code, ...) { (void)comm, (void)code; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Errhandler made, copy;
  MPI_Comm_create_errhandler(handler, &made);
  copy = made;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, copy);
  MPI_Errhandler_free(&made);
  MPI_Finalize();
  return 0;
}
