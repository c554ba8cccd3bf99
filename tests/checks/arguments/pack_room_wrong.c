// SPDX-License-Identifier: MIT
//
// Two numbers are packed where there is room for one.
// check: argument.buffer
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int numbers[2] = {1, 2}, position = 0;
  char room[8];
  MPI_Pack(numbers, 2, MPI_INT, room, 4, &position, MPI_COMM_SELF);  // <- here
  MPI_Finalize();
  return 0;
}
