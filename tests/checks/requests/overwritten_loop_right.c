// SPDX-License-Identifier: MIT
//
// A loop copies each request before the next one overwrites it.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int numbers[3] = {1, 2, 3};
  MPI_Request request, all[3];
  for (int i = 0; i < 3; ++i) {
    if (rank == 1) MPI_Irecv(&numbers[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &request);
    if (rank == 0) MPI_Send(&numbers[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD);
    all[i] = rank == 1 ? request : MPI_REQUEST_NULL;
  }
  MPI_Waitall(3, all, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
