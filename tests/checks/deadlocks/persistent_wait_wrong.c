// SPDX-License-Identifier: MIT
//
// Both ranks wait for a persistent receive before they send.
// check: deadlock.cycle
// says: persistent_wait_wrong.c:14), which waits in MPI_Wait(
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int sent = rank, received;
  MPI_Request request;
  MPI_Recv_init(&received, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);  // <- here
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Send(&sent, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
