// SPDX-License-Identifier: MIT
//
// Uses a communicator after it was freed.
// run: fails
// check: violation argument.communicator
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Comm comm, stale;
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  stale = comm;
  MPI_Comm_free(&comm);
  MPI_Barrier(stale);
  MPI_Finalize();
  return 0;
}
