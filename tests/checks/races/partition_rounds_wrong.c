// SPDX-License-Identifier: MIT
//
// The program believes that the receive is complete when its first partition has arrived.
// check: assertion.failed
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, arrived, data[2];
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Psend_init(data, 2, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  else MPI_Precv_init(data, 2, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  for (int round = 1; round <= 2; ++round) {
    data[0] = data[1] = rank == 0 ? round : 0;
    MPI_Start(&request);
    if (rank == 0) {
      MPI_Pready_range(0, 1, request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      continue;
    }
    for (arrived = 0; !arrived;) MPI_Parrived(request, 0, &arrived);
    MPI_Test(&request, &arrived, MPI_STATUS_IGNORE);
    assert(arrived);  // <- here
  }
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
