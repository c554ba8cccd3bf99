// SPDX-License-Identifier: MIT
//
// Errors are returned, and the program asks what they are.
// check: none
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int numbers[4] = {1, 2, 3, 4};
  if (rank == 0) MPI_Send(numbers, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) {
    int code = MPI_Recv(numbers, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE), kind;
    MPI_Error_class(code, &kind);
    if (kind == MPI_ERR_TRUNCATE) printf("half of it\n");
  }
  MPI_Finalize();
  return 0;
}
