// SPDX-License-Identifier: MIT
//
// A function starts a broadcast into an array of its caller and returns.
// check: none
#include <mpi.h>

#define N 20000

static void start(MPI_Request* request) {
  static double numbers[N];
  for (int i = 0; i < N; ++i) numbers[i] = i;
  MPI_Ibcast(numbers, N, MPI_DOUBLE, 0, MPI_COMM_WORLD, request);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request request;
  start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank > 1) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Finalize();
  return 0;
}
