// SPDX-License-Identifier: MIT
//
// A message that nobody waits for is never received.
// check: message.lost deadlock.orphan
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = 1;
  MPI_Request request;
  if (rank == 0) {
    MPI_Isend(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);  // <- here
    MPI_Request_free(&request);
  }
  MPI_Finalize();
  return 0;
}
