// SPDX-License-Identifier: MIT
//
// Calls return errors: those of several requests would be in the statuses, but there are none.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int numbers[4] = {1, 2, 3, 4};
  MPI_Request request;
  MPI_Status status;
  if (rank == 0) MPI_Send(numbers, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Irecv(numbers, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Waitall(1, &request, &status);
  }
  MPI_Finalize();
  return 0;
}
