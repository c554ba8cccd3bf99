// SPDX-License-Identifier: MIT
//
// A receive that is cancelled, or gets its message before: then the second receive must not wait.
// ranks: 2
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, got = -1, cancelled;
  MPI_Request request;
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) {
    MPI_Isend(&rank, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    assert(!cancelled);
  } else {
    MPI_Irecv(&got, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    assert(cancelled && got == -1);
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    assert((got == -1) == cancelled);
    if (cancelled) MPI_Recv(&got, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(got == 1);
  }
  MPI_Finalize();
  return 0;
}
