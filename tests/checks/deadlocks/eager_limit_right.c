// SPDX-License-Identifier: MIT
//
// Messages of 128 bytes fit into a buffer of 128.
// check: none
// options: --buffering eager:128
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double sent[16] = {rank}, received[16];
  MPI_Send(sent, 16, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD);
  MPI_Recv(received, 16, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
