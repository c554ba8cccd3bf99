// SPDX-License-Identifier: MIT
//
// A duplicate of a communicator is never freed.
// check: none
// warns: resource.communicator
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);  // <- here
  MPI_Barrier(copy);
  MPI_Finalize();
  return 0;
}
