// SPDX-License-Identifier: MIT
//
// The program reads a predefined attribute.
// check: none
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int flag, *largest, value = 5;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &largest, &flag);
  MPI_Finalize();
  return 0;
}
