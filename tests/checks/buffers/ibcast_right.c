// SPDX-License-Identifier: MIT
//
// The root of an MPI_Ibcast writes what it gave after that.
// check: none
// ranks: 2
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  int numbers[2] = {3, 4};
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Ibcast(numbers, 2, MPI_INT, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank == 0) numbers[1] = 9;
  MPI_Finalize();
  return 0;
}
