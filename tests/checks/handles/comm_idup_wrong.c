// SPDX-License-Identifier: MIT
//
// A communicator is used before the nonblocking call that makes it is complete.
// check: argument.communicator
// says: is used before the call that makes it is complete
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm copy;
  MPI_Request request;
  MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
  if (rank == 0) MPI_Comm_set_name(copy, "copy");  // <- here
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&copy);
  MPI_Finalize();
  return 0;
}
