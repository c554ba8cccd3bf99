// SPDX-License-Identifier: MIT
//
// A rank sends to itself without waiting.
// check: none
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int sent = rank, received;
  MPI_Request request;
  MPI_Issend(&sent, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &request);
  MPI_Recv(&received, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
