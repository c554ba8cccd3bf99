// SPDX-License-Identifier: MIT
//
// A blocking send reads beside what is being received.
// check: none
// ranks: 2
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  int numbers[4] = {1, 2, 3, 4};
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  MPI_Irecv(numbers, 2, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
  MPI_Ssend(numbers + 2, 2, MPI_INT, other, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
