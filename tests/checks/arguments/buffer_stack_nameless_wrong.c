// SPDX-License-Identifier: MIT
//
// Of an array without a name, which has the memory of a variable that is not yet in use, too much is sent.
// check: argument.buffer
// says: buffer must be 256 bytes long
// ranks: 1
// compile: -O2
#include <mpi.h>

static void work(int rank) {
  int x[2];
  {
    MPI_Bcast((int[8]){rank, 2, 3, 4}, 64, MPI_INT, 0, MPI_COMM_WORLD);  // <- here
  }
  x[0] = rank;
  x[1] = 2;
  MPI_Bcast(x, 2, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  work(rank);
  MPI_Finalize();
  return 0;
}
