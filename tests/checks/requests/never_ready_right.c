// SPDX-License-Identifier: MIT
//
// All partitions of a send are marked ready.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int numbers[2] = {1, 2};
  MPI_Request request;
  if (rank == 0) {
    MPI_Psend_init(numbers, 2, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  } else {
    MPI_Precv_init(numbers, 2, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  }
  MPI_Start(&request);
  if (rank == 0) MPI_Pready(0, request);
  if (rank == 0) MPI_Pready(1, request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
