// SPDX-License-Identifier: MIT
//
// A std::vector outlives the receive into it.
// check: none
#include <mpi.h>

#include <vector>

static void start(std::vector<int>& numbers, MPI_Request* request) {
  MPI_Irecv(numbers.data(), 10, MPI_INT, 1, 0, MPI_COMM_WORLD, request);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request;
    std::vector<int> numbers(10);
    start(numbers, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    std::vector<int> given(10);
    MPI_Send(given.data(), 10, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
