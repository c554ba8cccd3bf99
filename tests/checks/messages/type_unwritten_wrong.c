// SPDX-License-Identifier: MIT
//
// Rank 0 answers all others with a block that nobody wrote; they receive it as another type.
// check: message.type
// warns: buffer.type
// ranks: 3
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int* numbers = malloc(64 * sizeof *numbers);
  if (rank == 0) {
    MPI_Status status;
    for (int i = 0; i < 2; ++i) {
      int more[64];
      MPI_Recv(more, 64, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
      MPI_Send(numbers, 64, MPI_INT, status.MPI_SOURCE, 1, MPI_COMM_WORLD);
    }
  } else {
    int more[64];
    MPI_Send(more, 64, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Recv(numbers, 64, MPI_FLOAT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // <- here
  }
  free(numbers);
  MPI_Finalize();
  return 0;
}
