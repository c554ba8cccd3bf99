// SPDX-License-Identifier: MIT
//
// One rank broadcasts with MPI_Bcast, the other with MPI_Ibcast: they do not match.
// check: collective.operation
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = 1;
  MPI_Request request = MPI_REQUEST_NULL;
  if (rank == 0) MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Ibcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);  // <- here
  MPI_Finalize();
  return 0;
}
