// SPDX-License-Identifier: MIT
//
// Persistent collectives: started again and again, and by the two ranks in different orders.
// ranks: 3
// executions: 1
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, sum, value, prefix, all[3], part;
  MPI_Request requests[5];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce_init(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  MPI_Bcast_init(&value, 1, MPI_INT, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
  MPI_Exscan_init(&rank, &prefix, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[2]);
  MPI_Allgather_init_c(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[3]);
  MPI_Scatter_init(all, 1, MPI_INT, &part, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[4]);
  for (int i = 0; i < 3; ++i) {
    value = rank == 1 ? 7 + i : -1;
    if (rank == 0) {
      MPI_Startall(4, requests);
    } else {
      for (int k = 3; k >= 0; --k) MPI_Start(&requests[k]);
    }
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    assert(sum == 3 && value == 7 + i && all[0] == 0 && all[2] == 2);
    if (rank > 0) assert(prefix == (rank == 1 ? 0 : 1));
    for (int k = 0; k < 3; ++k) all[k] += 10 * i;
    MPI_Start(&requests[4]);
    MPI_Wait(&requests[4], MPI_STATUS_IGNORE);
    assert(part == rank + 10 * i);
  }
  for (int k = 0; k < 5; ++k) MPI_Request_free(&requests[k]);
  MPI_Finalize();
  return 0;
}
