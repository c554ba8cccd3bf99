// SPDX-License-Identifier: MIT
//
// Once each partition is known to have arrived, the receive is complete, in the second round, too.
// check: none
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
    for (int i = 0; i < 2; ++i)
      for (arrived = 0; !arrived;) MPI_Parrived(request, i, &arrived);
    assert(data[0] == round && data[1] == round);
    MPI_Test(&request, &arrived, MPI_STATUS_IGNORE);
    assert(arrived);
  }
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
