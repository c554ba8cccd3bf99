// SPDX-License-Identifier: MIT
//
// An array is deleted when the send of it is complete.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double* numbers = new double[10]();
  MPI_Request request;
  MPI_Isend(numbers, 10, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, &request);
  double taken[10];
  MPI_Recv(taken, 10, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  delete[] numbers;
  MPI_Finalize();
  return 0;
}
