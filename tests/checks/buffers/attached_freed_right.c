// SPDX-License-Identifier: MIT
//
// The attached buffer is freed when it is detached.
// check: none
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = rank, size = 1000 + MPI_BSEND_OVERHEAD;
  void* room = malloc(size);
  MPI_Buffer_attach(room, size);
  MPI_Bsend(&number, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
  MPI_Recv(&number, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Buffer_detach(&room, &size);
  free(room);
  MPI_Finalize();
  return 0;
}
