// SPDX-License-Identifier: MIT
//
// Whole numbers are received as packed data, and unpacked as floating-point numbers.
// check: message.type
// says: element 0 is unpacked as MPI_FLOAT but was packed as MPI_INT, sent by rank 0
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char packed[64];
  int numbers[2] = {1, 2}, place = 0;
  float got[2];
  if (rank == 0) MPI_Send(numbers, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Recv(packed, sizeof packed, MPI_PACKED, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Unpack(packed, sizeof packed, &place, got, 2, MPI_FLOAT, MPI_COMM_WORLD);  // <- here
  }
  MPI_Finalize();
  return 0;
}
