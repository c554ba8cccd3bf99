// SPDX-License-Identifier: MIT
//
// More is unpacked than was packed.
// check: argument.buffer
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int numbers[2] = {1, 2}, position = 0, length;
  char room[8];
  MPI_Pack(numbers, 1, MPI_INT, room, 8, &position, MPI_COMM_SELF);
  length = position;
  position = 0;
  MPI_Unpack(room, length, &position, numbers, 2, MPI_INT, MPI_COMM_SELF);  // <- here
  MPI_Finalize();
  return 0;
}
