// SPDX-License-Identifier: MIT
//
// The group of a communicator is never freed.
// check: none
// warns: resource.group
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int size;
  MPI_Group world;
  MPI_Comm_group(MPI_COMM_WORLD, &world);  // <- here
  MPI_Group_size(world, &size);
  world = MPI_GROUP_EMPTY;
  MPI_Finalize();
  return 0;
}
