// SPDX-License-Identifier: MIT
//
// A duplicate of a communicator is freed.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Barrier(copy);
  MPI_Comm_free(&copy);
  MPI_Finalize();
  return 0;
}
