// SPDX-License-Identifier: MIT
//
// A duplicate of MPI_COMM_WORLD is freed.
// check: none
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm world;
  MPI_Comm_dup(MPI_COMM_WORLD, &world);
  MPI_Comm_free(&world);
  MPI_Finalize();
  return 0;
}
