// SPDX-License-Identifier: MIT
//
// A send is cancelled that nobody receives: it is cancelled in every execution.
// check: none
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, number = 1, cancelled = 0;
  MPI_Request request;
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Issend(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    MPI_Send(&cancelled, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    assert(cancelled);
  } else if (rank == 1) {
    MPI_Recv(&cancelled, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
