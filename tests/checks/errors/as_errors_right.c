// SPDX-License-Identifier: MIT
//
// Calls return errors, and an error handler of the program handles them.
// check: none
// options: --errors-return error
#include <mpi.h>
#include <stdio.h>

static void tell(MPI_Comm* comm, int* code, ...) { printf("error %d%s\n", *code, comm == NULL ? "!" : ""); }

int main(int argc, char** argv) {
  MPI_Errhandler handler;
  MPI_Init(&argc, &argv);
  MPI_Comm_create_errhandler(tell, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Errhandler_free(&handler);
  int number = 1;
  MPI_Send(&number, 1, MPI_INT, MPI_PROC_NULL, -1, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
