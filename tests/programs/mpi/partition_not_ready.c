// SPDX-License-Identifier: MIT
//
// Waits for a partitioned send of which a partition is never ready.
// ranks: 2
// run: fails
// check: violation request.never_complete
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, data[2] = {0, 0};
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Psend_init(data, 2, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Pready(0, request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
