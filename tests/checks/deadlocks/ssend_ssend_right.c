// SPDX-License-Identifier: MIT
//
// Both ranks send from an attached buffer before they receive.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int sent = rank, received, bytes;
  char buffer[MPI_BSEND_OVERHEAD + sizeof sent];
  void* place;
  MPI_Buffer_attach(buffer, sizeof buffer);
  MPI_Bsend(&sent, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
  MPI_Recv(&received, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Buffer_detach(&place, &bytes);
  MPI_Finalize();
  return 0;
}
