// SPDX-License-Identifier: MIT
//
// A group is freed twice.
// check: argument.group
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Group world, copy;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  copy = world;
  MPI_Group_free(&world);
  MPI_Group_free(&copy);  // <- here
  MPI_Finalize();
  return 0;
}
