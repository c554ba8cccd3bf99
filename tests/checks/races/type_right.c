// SPDX-License-Identifier: MIT
//
// The tag says which type a message has.
// check: none
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
    for (int i = 0; i < 2; ++i) {
      MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      MPI_Recv(&data, 1, status.MPI_TAG == 1 ? MPI_INT : MPI_FLOAT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    }
  }
  MPI_Finalize();
  return 0;
}
