// SPDX-License-Identifier: MIT
//
// The receiver unpacks in another order than the sender packed.
// check: message.type
// says: element 0 is unpacked as MPI_DOUBLE but was packed as MPI_INT, sent by rank 0 in MPI_Send
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char packed[64];
  int numbers[2] = {1, 2}, place = 0;
  double share = 0.5;
  if (rank == 0) {
    MPI_Pack(numbers, 2, MPI_INT, packed, sizeof packed, &place, MPI_COMM_WORLD);
    MPI_Pack(&share, 1, MPI_DOUBLE, packed, sizeof packed, &place, MPI_COMM_WORLD);
    MPI_Send(packed, place, MPI_PACKED, 1, 0, MPI_COMM_WORLD);
  }
  if (rank == 1) {
    MPI_Recv(packed, sizeof packed, MPI_PACKED, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Unpack(packed, sizeof packed, &place, &share, 1, MPI_DOUBLE, MPI_COMM_WORLD);  // <- here
  }
  MPI_Finalize();
  return 0;
}
