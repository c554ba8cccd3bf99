// SPDX-License-Identifier: MIT
//
// Each survivor decides by its own result whether an iteration counts. The broadcast fails for some ranks only, so one
// repairs while another continues.
// check: deadlock.orphan
// options: --failures 1
// ranks: 3
#include <mpi-ext.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm = MPI_COMM_WORLD;
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  int data = 0;
  if (MPI_Bcast(&data, 1, MPI_INT, 0, comm) != MPI_SUCCESS) {
    MPI_Comm shrunk;
    MPIX_Comm_shrink(comm, &shrunk);  // <- here
    MPI_Comm_free(&shrunk);
  }
  MPI_Finalize();
  return 0;
}
