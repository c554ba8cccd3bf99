// SPDX-License-Identifier: MIT
//
// The second send puts its request where the first one's still is.
// check: request.overwritten
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int numbers[2] = {1, 2};
  if (rank == 0) {
    MPI_Request request;
    MPI_Isend(&numbers[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Isend(&numbers[1], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);  // <- here
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  for (int i = 0; rank == 1 && i < 2; ++i)
    MPI_Recv(&numbers[i], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
