// SPDX-License-Identifier: MIT
//
// A range of ranks goes beyond the group.
// check: argument.rank
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Group world, none;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int ranges[1][3] = {{0, 2, 1}};
  MPI_Group_range_excl(world, 1, ranges, &none);  // <- here
  if (none != MPI_GROUP_EMPTY) MPI_Group_free(&none);
  MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}
