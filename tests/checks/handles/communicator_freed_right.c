// SPDX-License-Identifier: MIT
//
// A communicator is used before it is freed.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm copy, other;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  other = copy;
  MPI_Barrier(other);
  MPI_Comm_free(&copy);
  MPI_Finalize();
  return 0;
}
