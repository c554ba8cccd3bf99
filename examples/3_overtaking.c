// SPDX-License-Identifier: MIT
//
// Rank 1 sends "open" to rank 0 and then a message to rank 2, which sends "read" to rank 0. "open" was sent before
// "read", but it may arrive after it: messages of different ranks may overtake each other, even if one was sent
// because of the other. Right: 3_overtaking_fixed.c.
#include <assert.h>
#include <mpi.h>

enum { opener = 1, reader = 2 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);

  if (rank == 0) {
    int first, second;
    MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(first == opener);
  } else if (rank == opener) {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Send(&rank, 1, MPI_INT, reader, 0, MPI_COMM_WORLD);
  } else if (rank == reader) {
    int go;
    MPI_Recv(&go, 1, MPI_INT, opener, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }

  MPI_Finalize();
  return 0;
}
