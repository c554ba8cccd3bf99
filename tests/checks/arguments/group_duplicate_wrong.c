// SPDX-License-Identifier: MIT
//
// A group has one rank twice.
// check: argument.rank
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Group world, both;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int ranks[2] = {1, 1};
  MPI_Group_incl(world, 2, ranks, &both);  // <- here
  MPI_Group_free(&both);
  MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}
