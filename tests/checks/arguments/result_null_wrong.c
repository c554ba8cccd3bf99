// SPDX-License-Identifier: MIT
//
// The size of a communicator is written nowhere.
// check: argument.value
// ranks: 1
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, NULL);  // <- here
  MPI_Finalize();
  return 0;
}
