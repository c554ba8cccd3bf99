// SPDX-License-Identifier: MIT
//
// The program sets a predefined attribute.
// check: argument.keyval
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int flag, *largest, value = 5;
  MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value);  // <- here
  MPI_Finalize();
  return 0;
}
