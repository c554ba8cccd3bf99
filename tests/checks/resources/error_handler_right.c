// SPDX-License-Identifier: MIT
//
// An error handler is freed while its communicator still uses it.
// check: none
// ranks: 1
#include <mpi.h>

static void handler(MPI_Comm* comm, int* code, ...) { (void)comm, (void)code; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Errhandler made;
  MPI_Comm_create_errhandler(handler, &made);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, made);
  MPI_Errhandler_free(&made);
  MPI_Finalize();
  return 0;
}
