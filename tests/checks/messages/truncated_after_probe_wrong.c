// SPDX-License-Identifier: MIT
//
// A rank probes for a message, and receives it with a guessed count.
// check: message.truncated
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int numbers[3] = {1, 2, 3}, count = 2;
  MPI_Status status;
  if (rank == 0) MPI_Send(numbers, 3, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Probe(0, 0, MPI_COMM_WORLD, &status);
    MPI_Recv(numbers, count, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);  // <- here
  }
  MPI_Finalize();
  return 0;
}
