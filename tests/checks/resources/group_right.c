// SPDX-License-Identifier: MIT
//
// The group of a communicator is freed.
// check: none
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int size;
  MPI_Group world;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_size(world, &size);
  MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}
