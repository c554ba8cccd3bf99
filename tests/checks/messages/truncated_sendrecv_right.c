// SPDX-License-Identifier: MIT
//
// In an exchange, each side has room.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int sent[2] = {1, 2}, received[2];
  MPI_Sendrecv(sent, 1 + rank, MPI_INT, 1 - rank, 0, received, 2, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
