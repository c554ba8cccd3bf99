// SPDX-License-Identifier: MIT
//
// Ranks commit by their own result of a broadcast. It fails for those that wait for the failed rank, and not for its
// root, so survivors disagree.
// check: assertion.failed
// options: --failures 1
// ranks: 3
#include <assert.h>
#include <mpi-ext.h>

// The flag on which the living members agree, whoever has failed.
static int agreed(MPI_Comm comm, int flag) {
  if (MPIX_Comm_agree(comm, &flag) != MPI_SUCCESS) MPIX_Comm_failure_ack(comm);
  return flag;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int data = 0;
  int all = MPI_Bcast(&data, 1, MPI_INT, 0, MPI_COMM_WORLD) == MPI_SUCCESS, none = !all;
  MPI_Comm survivors;
  MPIX_Comm_shrink(MPI_COMM_WORLD, &survivors);
  all = agreed(survivors, all);
  none = agreed(survivors, none);
  assert(all || none);  // <- here
  MPI_Comm_free(&survivors);
  MPI_Finalize();
  return 0;
}
