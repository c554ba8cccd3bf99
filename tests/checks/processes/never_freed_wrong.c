// SPDX-License-Identifier: MIT
//
// The communicator with the children is never freed.
// check: none
// warns: resource.communicator
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Comm parent, children;
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&parent);
  if (parent == MPI_COMM_NULL) {
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,  // <- here
                   MPI_ERRCODES_IGNORE);
  } else {
    MPI_Comm_free(&parent);
  }
  MPI_Finalize();
  return 0;
}
