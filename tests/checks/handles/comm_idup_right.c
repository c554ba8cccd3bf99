// SPDX-License-Identifier: MIT
//
// The communicator is used when the call that makes it is complete.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm copy;
  MPI_Request request;
  MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank == 0) MPI_Comm_set_name(copy, "copy");
  MPI_Comm_free(&copy);
  MPI_Finalize();
  return 0;
}
