// SPDX-License-Identifier: MIT
//
// A communicator is used after it was freed, by a copy of its handle.
// check: argument.communicator
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm copy, other;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  other = copy;
  MPI_Comm_free(&copy);
  MPI_Barrier(other);  // <- here
  MPI_Finalize();
  return 0;
}
