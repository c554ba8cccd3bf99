// SPDX-License-Identifier: MIT
//
// A range of ranks goes on by nothing.
// check: argument.value
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Group world, both;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int ranges[1][3] = {{0, 1, 0}};
  MPI_Group_range_incl(world, 1, ranges, &both);  // <- here
  MPI_Group_free(&both);
  MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}
