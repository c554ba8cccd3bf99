// SPDX-License-Identifier: MIT
//
// Two ranks exchange 4-byte messages; the argument is the number of round trips.
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, data = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int rounds = argc > 1 ? atoi(argv[1]) : 1;
  for (int i = 0; i < rounds; ++i) {
    if (rank == 0) {
      MPI_Send(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
      MPI_Recv(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
  }
  MPI_Finalize();
  return 0;
}
