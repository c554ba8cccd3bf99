// SPDX-License-Identifier: MIT
//
// The size of MPI_GROUP_EMPTY is none.
// check: none
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int size;
  MPI_Group_size(MPI_GROUP_EMPTY, &size);
  MPI_Finalize();
  return 0;
}
