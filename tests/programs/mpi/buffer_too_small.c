// SPDX-License-Identifier: MIT
//
// Two buffered sends at once, and room for one.
// run: fails
// check: violation buffer.attached
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank, value = 0, size = sizeof(int) + MPI_BSEND_OVERHEAD;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    void* space = malloc(size);
    MPI_Buffer_attach(space, size);
    MPI_Bsend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Bsend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Buffer_detach(&space, &size);
  } else {
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
