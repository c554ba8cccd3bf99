// SPDX-License-Identifier: MIT
//
// MPI_COMM_WORLD is freed.
// check: argument.communicator
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm world = MPI_COMM_WORLD;
  MPI_Comm_free(&world);  // <- here
  MPI_Finalize();
  return 0;
}
