// SPDX-License-Identifier: MIT
//
// Either receive may be complete first; the other follows.
// ranks: 3
// executions: 2
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank > 0) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    int values[2], first, second, third;
    MPI_Request requests[2];
    MPI_Status status;
    MPI_Irecv(&values[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&values[1], 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitany(2, requests, &first, &status);
    assert(status.MPI_SOURCE == first + 1 && values[first] == first + 1);
    MPI_Waitany(2, requests, &second, MPI_STATUS_IGNORE);
    assert(first + second == 1);
    MPI_Waitany(2, requests, &third, MPI_STATUS_IGNORE);
    assert(third == MPI_UNDEFINED);
  }
  MPI_Finalize();
  return 0;
}
