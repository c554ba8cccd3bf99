// SPDX-License-Identifier: MIT
//
// A matched message is received twice.
// check: argument.request
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int numbers[2] = {1, 2};
  if (rank == 0) {
    MPI_Send(&numbers[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Message message, copy;
    MPI_Mprobe(0, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    copy = message;
    MPI_Mrecv(&numbers[0], 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&numbers[1], 1, MPI_INT, &copy, MPI_STATUS_IGNORE);  // <- here
  }
  MPI_Finalize();
  return 0;
}
