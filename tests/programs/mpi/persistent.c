// SPDX-License-Identifier: MIT
//
// Persistent requests, started again and again.
// executions: 1
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, mine, theirs;
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Send_init(&mine, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(&theirs, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < 3; ++i) {
    mine = 100 * rank + i;
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    assert(theirs == 100 * (1 - rank) + i);
    assert(requests[0] != MPI_REQUEST_NULL);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  MPI_Finalize();
  return 0;
}
