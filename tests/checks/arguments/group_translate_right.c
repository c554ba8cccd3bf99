// SPDX-License-Identifier: MIT
//
// Nobody is translated into nobody.
// check: none
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Group world;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int from[1] = {MPI_PROC_NULL}, to[1];
  MPI_Group_translate_ranks(world, 1, from, world, to);
  MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}
