// SPDX-License-Identifier: MIT
//
// The request of an ordinary send is started again.
// check: argument.request
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int number = 1;
  MPI_Request request;
  MPI_Isend(&number, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
  MPI_Start(&request);  // <- here
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
