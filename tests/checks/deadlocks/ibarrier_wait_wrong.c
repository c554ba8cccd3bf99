// SPDX-License-Identifier: MIT
//
// A rank waits for a nonblocking barrier that the other one enters only after a message of it.
// check: deadlock.collective
// says: ibarrier_wait_wrong.c:15), which waits in MPI_Recv(
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = rank;
  MPI_Request request;
  if (rank == 0) {
    MPI_Ibarrier(MPI_COMM_WORLD, &request);  // <- here
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Send(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
