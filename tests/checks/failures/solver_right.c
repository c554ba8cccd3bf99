// SPDX-License-Identifier: MIT
//
// Survivors agree whether an iteration counts, repair the communicator, and continue.
// check: none
// options: --failures 1
// ranks: 3
#include <mpi-ext.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm = MPI_COMM_WORLD;
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  for (int iteration = 0; iteration < 2;) {
    int one = 1, size = 0;
    int is_good = MPI_Allreduce(&one, &size, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS;
    if (MPIX_Comm_agree(comm, &is_good) == MPI_SUCCESS && is_good) {
      ++iteration;
      continue;
    }
    MPI_Comm shrunk;
    MPIX_Comm_shrink(comm, &shrunk);
    if (comm != MPI_COMM_WORLD) MPI_Comm_free(&comm);
    comm = shrunk;
  }
  if (comm != MPI_COMM_WORLD) MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
