// SPDX-License-Identifier: MIT
//
// 3_overtaking.c without the error: rank 0 names the source of each message.
#include <assert.h>
#include <mpi.h>

enum { opener = 1, reader = 2 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);

  if (rank == 0) {
    int first, second;
    MPI_Recv(&first, 1, MPI_INT, opener, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&second, 1, MPI_INT, reader, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
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
