// SPDX-License-Identifier: MIT
//
// Errors are returned, and a function that returns nothing ends with a broadcast of a negative count.
// check: none
// warns: error.ignored
// says: returns MPI_ERR_COUNT
#include <mpi.h>

static void share(int* numbers, int count) {
  MPI_Bcast(numbers, count, MPI_INT, 0, MPI_COMM_WORLD);  // <- here
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int numbers[2] = {0, 0};
  share(numbers, -1);
  MPI_Finalize();
  return 0;
}
