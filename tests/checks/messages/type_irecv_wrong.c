// SPDX-License-Identifier: MIT
//
// A nonblocking receive has another type than what is sent.
// check: message.type
// warns: buffer.type
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = 1;
  MPI_Request request;
  if (rank == 0) MPI_Isend(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
  if (rank == 1) MPI_Irecv(&number, 1, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, &request);  // <- here
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
