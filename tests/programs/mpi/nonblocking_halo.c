// SPDX-License-Identifier: MIT
//
// Three iterations of a halo exchange with nonblocking calls and one Waitall each.
// ranks: 4
// executions: 1
// buffering: zero
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int left = rank == 0 ? MPI_PROC_NULL : rank - 1;
  const int right = rank == size - 1 ? MPI_PROC_NULL : rank + 1;
  for (int iteration = 0; iteration < 3; ++iteration) {
    int cells[4] = {-1, 10 * rank + iteration, 10 * rank + iteration, -1};
    MPI_Request requests[4];
    MPI_Status statuses[4];
    MPI_Irecv(&cells[0], 1, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&cells[3], 1, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&cells[1], 1, MPI_INT, left, 2, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&cells[2], 1, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, statuses);
    assert(cells[0] == (rank == 0 ? -1 : 10 * left + iteration));
    assert(cells[3] == (rank == size - 1 ? -1 : 10 * right + iteration));
    assert(statuses[0].MPI_SOURCE == left && statuses[1].MPI_SOURCE == right);
  }
  MPI_Finalize();
  return 0;
}
