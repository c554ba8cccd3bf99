// SPDX-License-Identifier: MIT
//
// A rank is translated that the group has not.
// check: argument.rank
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Group world;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int from[1] = {3}, to[1];
  MPI_Group_translate_ranks(world, 1, from, world, to);  // <- here
  MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}
