// SPDX-License-Identifier: MIT
//
// The message is received by MPI_Irecv, and waited for elsewhere: told are the lines of the send and of MPI_Irecv.
// check: message.type
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, numbers[4] = {0};
  double values[2] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Ssend(values, 2, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD);  // <- here
  } else {
    MPI_Request request;
    MPI_Irecv(numbers, 4, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &request);  // <- here
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
