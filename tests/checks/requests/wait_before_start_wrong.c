// SPDX-License-Identifier: MIT
//
// A persistent send is waited for before each start, which is fine; but one receive too many waits forever.
// check: deadlock.orphan
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = rank;
  MPI_Request request;
  if (rank == 0) {
    MPI_Send_init(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 2; ++i) {
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      MPI_Start(&request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
  }
  for (int i = 0; rank == 1 && i < 3; ++i)
    MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // <- here
  MPI_Finalize();
  return 0;
}
