// SPDX-License-Identifier: MIT
//
// A group is made with a rank that the old one has not.
// check: argument.rank
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Group world, one;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int ranks[1] = {1};
  MPI_Group_incl(world, 1, ranks, &one);  // <- here
  MPI_Group_free(&one);
  MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}
