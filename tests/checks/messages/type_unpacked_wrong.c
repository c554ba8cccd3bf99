// SPDX-License-Identifier: MIT
//
// Numbers are received as characters, to be unpacked.
// check: message.type
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char packed[64];
  int number = 1, place = 0;
  if (rank == 0) MPI_Send(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Recv(packed, sizeof packed, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // <- here
    MPI_Unpack(packed, sizeof packed, &place, &number, 1, MPI_INT, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
