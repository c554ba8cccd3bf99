// SPDX-License-Identifier: MIT
//
// A range of ranks may go down.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Group world, both;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int ranges[1][3] = {{1, 0, -1}};
  MPI_Group_range_incl(world, 1, ranges, &both);
  MPI_Group_free(&both);
  MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}
