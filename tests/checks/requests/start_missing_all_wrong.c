// SPDX-License-Identifier: MIT
//
// A rank starts one of two persistent requests and waits for both.
// check: none
// warns: request.inactive
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int numbers[2] = {1, 2};
  MPI_Request requests[2];
  for (int i = 0; i < 2; ++i)
    MPI_Recv_init(&numbers[i], 1, MPI_INT, MPI_PROC_NULL, i, MPI_COMM_WORLD, &requests[i]);
  MPI_Start(&requests[0]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);  // <- here
  for (int i = 0; i < 2; ++i) MPI_Request_free(&requests[i]);
  MPI_Finalize();
  return 0;
}
