// SPDX-License-Identifier: MIT
//
// A rank waits for a message whose send may have been cancelled.
// check: deadlock.orphan
// notes: message.cancelled
// options: --polls 11
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, number = 1, flag = 0;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Isend(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    for (int tries = 0; tries < 10 && !flag; ++tries) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    if (!flag) {
      MPI_Cancel(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
  } else if (rank == 1) {
    MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // <- here
  }
  MPI_Finalize();
  return 0;
}
