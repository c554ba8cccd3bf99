// SPDX-License-Identifier: MIT
//
// A message of floats is received as integers: both lines are told, that of the send and that of the receive.
// check: message.type
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, numbers[4] = {0};
  float values[4] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request;
    MPI_Isend(values, 4, MPI_FLOAT, 1, 3, MPI_COMM_WORLD, &request);  // <- here
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(numbers, 4, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // <- here
  }
  MPI_Finalize();
  return 0;
}
