// SPDX-License-Identifier: MIT
//
// There is no place for the request of a send.
// check: argument.value
// ranks: 1
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int number = 1;
  MPI_Request request;
  MPI_Isend(&number, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, NULL);  // <- here
  MPI_Finalize();
  return 0;
}
