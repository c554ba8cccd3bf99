// SPDX-License-Identifier: MIT
//
// An array that outlives the buffered sends is attached.
// check: none
#include <mpi.h>

#define BYTES (1000 + MPI_BSEND_OVERHEAD)

static void attach(void) {
  static char room[BYTES];
  MPI_Buffer_attach(room, BYTES);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = rank, size;
  void* was;
  attach();
  MPI_Bsend(&number, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
  MPI_Recv(&number, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Buffer_detach(&was, &size);
  MPI_Finalize();
  return 0;
}
