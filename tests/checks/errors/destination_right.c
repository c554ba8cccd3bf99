// SPDX-License-Identifier: MIT
//
// Errors are returned, and the program gives up sending where there is one.
// check: none
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, sent = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = 1;
  while (rank == 0 && MPI_Send(&number, 0, MPI_INT, 98 + sent, 0, MPI_COMM_WORLD) == MPI_SUCCESS) ++sent;
  if (sent > 0) printf("sent %d\n", sent);
  MPI_Finalize();
  return 0;
}
