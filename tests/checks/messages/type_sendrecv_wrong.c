// SPDX-License-Identifier: MIT
//
// In an exchange, one rank sends what the other does not expect.
// check: message.type
// warns: buffer.type
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int sent = rank, received;
  MPI_Sendrecv(&sent, 1, rank == 0 ? MPI_INT : MPI_FLOAT, 1 - rank, 0, &received, 1, MPI_INT, 1 - rank, 0,  // <- here
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
