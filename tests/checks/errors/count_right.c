// SPDX-License-Identifier: MIT
//
// Errors are returned, but there are none.
// check: none
#include <mpi.h>

static void share(int* numbers, int count) {
  MPI_Bcast(numbers, count, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int numbers[2] = {0, 0};
  share(numbers, 2);
  MPI_Finalize();
  return 0;
}
