// SPDX-License-Identifier: MIT
//
// Partitioned sends: each partition leaves when it is ready; the receiver may divide the message in another way.
// ranks: 2
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, data[6], flag, rest[2] = {2, 0};
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    MPI_Psend_init(data, 3, 2, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  else
    MPI_Precv_init(data, 2, 3, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 6; ++i) data[i] = rank == 0 ? 10 * round + i : -1;
    MPI_Start(&request);
    if (rank == 0) {
      MPI_Pready_range(1, 1, request);
      MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
      assert(!flag);
      MPI_Pready_list(2, rest, request);
    } else {
      MPI_Parrived(request, 1, &flag);
      if (flag) assert(data[5] == 10 * round + 5);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < 6; ++i) assert(data[i] == 10 * round + i);
  }
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
