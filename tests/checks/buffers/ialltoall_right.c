// SPDX-License-Identifier: MIT
//
// What a rank gives to an MPI_Ialltoall is read meanwhile.
// check: none
// ranks: 2
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  int given[2] = {3, 4}, taken[2];
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Ialltoall(given, 1, MPI_INT, taken, 1, MPI_INT, MPI_COMM_WORLD, &request);
  if (given[rank] == 0) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
