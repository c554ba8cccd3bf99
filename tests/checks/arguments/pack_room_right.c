// SPDX-License-Identifier: MIT
//
// Two numbers are packed where there is room for two.
// check: none
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int numbers[2] = {1, 2}, position = 0;
  char room[8];
  MPI_Pack(numbers, 2, MPI_INT, room, 8, &position, MPI_COMM_SELF);
  MPI_Finalize();
  return 0;
}
