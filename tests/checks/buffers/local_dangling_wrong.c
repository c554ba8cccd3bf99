// SPDX-License-Identifier: MIT
//
// A message is received into the array of a function that has returned.
// check: argument.buffer
// compile: -Wno-dangling-pointer
#include <mpi.h>

static int* volatile where;

static void point(void) {
  int numbers[10] = {0};
  where = numbers;
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  point();
  if (rank == 0) {
    MPI_Recv(where, 10, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // <- here
  } else {
    int given[10] = {0};
    MPI_Send(given, 10, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
