// SPDX-License-Identifier: MIT
//
// The program looks once whether its receive is complete, and goes on whether or not it is.
// check: resource.request message.lost
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = rank, flag = 0;
  if (rank == 0) MPI_Send(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Request request;
    MPI_Irecv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);  // <- here
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
