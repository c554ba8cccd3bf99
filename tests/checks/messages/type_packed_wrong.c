// SPDX-License-Identifier: MIT
//
// Packed data is sent as bytes and received as numbers.
// check: message.type
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char packed[64];
  int number = 1, used = 0;
  if (rank == 0) {
    MPI_Pack(&number, 1, MPI_INT, packed, sizeof packed, &used, MPI_COMM_WORLD);
    MPI_Send(packed, used, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  }
  if (rank == 1) MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // <- here
  MPI_Finalize();
  return 0;
}
