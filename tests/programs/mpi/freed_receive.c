// SPDX-License-Identifier: MIT
//
// A receive that is freed before it is complete takes its message all the same.
#include <mpi.h>

int main(int argc, char** argv) {
  static int value = 1;
  int rank;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
  }
  MPI_Finalize();
  return 0;
}
