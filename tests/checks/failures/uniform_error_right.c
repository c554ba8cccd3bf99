// SPDX-License-Identifier: MIT
//
// All survivors take the same branch, because they agree on it.
// check: none
// options: --failures 1
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
  int vote = 1;
  const int error = MPIX_Comm_agree(MPI_COMM_WORLD, &vote);
  int all = error == MPI_SUCCESS && vote, none = !all;
  MPI_Comm survivors;
  MPIX_Comm_shrink(MPI_COMM_WORLD, &survivors);
  all = agreed(survivors, all);
  none = agreed(survivors, none);
  assert(all || none);
  MPI_Comm_free(&survivors);
  MPI_Finalize();
  return 0;
}
