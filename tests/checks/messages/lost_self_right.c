// SPDX-License-Identifier: MIT
//
// A rank sends itself a message, and cancels that.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = rank;
  MPI_Request request;
  MPI_Issend(&number, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
