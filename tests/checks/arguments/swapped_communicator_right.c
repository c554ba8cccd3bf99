// SPDX-License-Identifier: MIT
//
// The communicator itself is given.
// check: none
// ranks: 1
// compile: -w
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int size;
  MPI_Group group;
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Group_free(&group);
  MPI_Finalize();
  return 0;
}
