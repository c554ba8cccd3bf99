// SPDX-License-Identifier: MIT
//
// Two ranks wait for all of their synchronous sends before they receive.
// check: deadlock.cycle
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int sent = rank, received;
  MPI_Request requests[2];
  MPI_Issend(&sent, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Issend(&sent, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);  // <- here
  for (int tag = 0; tag < 2; ++tag) MPI_Recv(&received, 1, MPI_INT, 1 - rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
