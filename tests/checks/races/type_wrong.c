// SPDX-License-Identifier: MIT
//
// Two messages of different types are received in the order in which they happen to come.
// check: message.type
// ranks: 3
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  union { int integer; float real; } data = {1};
  MPI_Status status;
  if (rank == 1) MPI_Send(&data, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  if (rank == 2) MPI_Send(&data, 1, MPI_FLOAT, 0, 2, MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);  // <- here
    MPI_Recv(&data, 1, MPI_FLOAT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);  // <- here
  }
  MPI_Finalize();
  return 0;
}
