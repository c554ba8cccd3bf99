// SPDX-License-Identifier: MIT
//
// Both ranks start a persistent receive, send, and wait then.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int sent = rank, received;
  MPI_Request request;
  MPI_Recv_init(&received, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
  MPI_Start(&request);
  MPI_Send(&sent, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
