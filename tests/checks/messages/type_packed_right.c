// SPDX-License-Identifier: MIT
//
// Packed data is sent as MPI_PACKED, which may be received as what was packed.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char packed[64];
  int number = 1, used = 0;
  if (rank == 0) {
    MPI_Pack(&number, 1, MPI_INT, packed, sizeof packed, &used, MPI_COMM_WORLD);
    MPI_Send(packed, used, MPI_PACKED, 1, 0, MPI_COMM_WORLD);
  }
  if (rank == 1) MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
