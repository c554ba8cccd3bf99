// SPDX-License-Identifier: MIT
//
// A rank waits for a message whose send is cancelled only if nobody wants it.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, number = 1, wanted = 0;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Isend(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Recv(&wanted, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!wanted) MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Send(&wanted, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    if (wanted) MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
