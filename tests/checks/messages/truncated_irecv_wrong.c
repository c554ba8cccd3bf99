// SPDX-License-Identifier: MIT
//
// A nonblocking receive has room for two numbers and three are sent.
// check: message.truncated
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int numbers[3] = {1, 2, 3};
  MPI_Request request;
  if (rank == 0) MPI_Isend(numbers, 3, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
  if (rank == 1) MPI_Irecv(numbers, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);  // <- here
  MPI_Finalize();
  return 0;
}
