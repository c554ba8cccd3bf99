// SPDX-License-Identifier: MIT
//
// Calls return errors, the program ignores them, and the options make that an error.
// check: error.ignored
// options: --errors-return error
// says: returns MPI_ERR_TAG
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int number = 1;
  MPI_Send(&number, 1, MPI_INT, MPI_PROC_NULL, -1, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
