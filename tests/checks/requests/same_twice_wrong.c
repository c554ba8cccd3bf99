// SPDX-License-Identifier: MIT
//
// A list of requests to wait for has one of them twice.
// check: argument.request
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int numbers[2] = {1, 2};
  MPI_Request requests[2];
  MPI_Irecv(&numbers[0], 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
  requests[1] = requests[0];
  MPI_Send(&numbers[1], 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);  // <- here
  MPI_Finalize();
  return 0;
}
