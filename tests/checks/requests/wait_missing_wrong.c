// SPDX-License-Identifier: MIT
//
// The program ends without waiting for its receive.
// check: resource.request message.lost
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = rank;
  if (rank == 0) MPI_Send(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Request request;
    MPI_Irecv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);  // <- here
  }
  MPI_Finalize();
  return 0;
}
