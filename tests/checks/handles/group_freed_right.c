// SPDX-License-Identifier: MIT
//
// Each of two groups is freed once.
// check: none
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Group world, copy;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Comm_group(MPI_COMM_WORLD, &copy);
  MPI_Group_free(&world);
  MPI_Group_free(&copy);
  MPI_Finalize();
  return 0;
}
