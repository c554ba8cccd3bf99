// SPDX-License-Identifier: MIT
//
// A message that MPI_Bsend sent is never received.
// check: message.lost deadlock.orphan
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = 1;
  int bytes;
  char buffer[MPI_BSEND_OVERHEAD + sizeof number];
  void* place;
  if (rank == 0) {
    MPI_Buffer_attach(buffer, sizeof buffer);
    MPI_Bsend(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);  // <- here
    MPI_Buffer_detach(&place, &bytes);
  }
  MPI_Finalize();
  return 0;
}
