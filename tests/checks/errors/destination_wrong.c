// SPDX-License-Identifier: MIT
//
// Errors are returned, and nobody looks: the message to rank 99 is not sent.
// check: none
// warns: error.ignored
// says: returns MPI_ERR_RANK, but the program ignores the code: the destination is 99
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = 1;
  if (rank == 0) MPI_Send(&number, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
