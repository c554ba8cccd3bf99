// SPDX-License-Identifier: MIT
//
// Both ranks post their receives, send, and wait then.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int sent = rank, received;
  MPI_Request request;
  MPI_Irecv(&received, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, &request);
  MPI_Send(&sent, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
