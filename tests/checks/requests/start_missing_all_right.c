// SPDX-License-Identifier: MIT
//
// A rank starts both persistent requests and waits for them; a second wait returns at once.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int numbers[2] = {1, 2};
  MPI_Request requests[2];
  for (int i = 0; i < 2; ++i)
    MPI_Recv_init(&numbers[i], 1, MPI_INT, MPI_PROC_NULL, i, MPI_COMM_WORLD, &requests[i]);
  MPI_Startall(2, requests);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 2; ++i) MPI_Request_free(&requests[i]);
  MPI_Finalize();
  return 0;
}
