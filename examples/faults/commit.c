// SPDX-License-Identifier: MIT
//
// A transaction: each rank votes, and all commit only if everyone voted for it and is alive. MPIX_Comm_agree gives all
// survivors the same answer. With the argument `allreduce`, collectives decide instead: a failure is an error for some
// ranks and success for others, so some commit and others do not.
#include <assert.h>
#include <mpi-ext.h>
#include <string.h>

// The flag on which the living members agree, whoever has failed.
static int agreed(MPI_Comm comm, int flag) {
  if (MPIX_Comm_agree(comm, &flag) != MPI_SUCCESS) MPIX_Comm_failure_ack(comm);
  return flag;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int is_uniform = argc < 2 || strcmp(argv[1], "allreduce") != 0;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int votes = 1, commits;
  if (is_uniform) {
    const int error = MPIX_Comm_agree(MPI_COMM_WORLD, &votes);
    commits = error == MPI_SUCCESS && votes;
  } else {
    int all = 0, data = 0;
    int error = MPI_Allreduce(&votes, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    if (error == MPI_SUCCESS) error = MPI_Bcast(&data, 1, MPI_INT, 0, MPI_COMM_WORLD);
    commits = error == MPI_SUCCESS && all;
  }
  // The judge of this example: do all survivors do the same?
  MPI_Comm survivors;
  MPIX_Comm_shrink(MPI_COMM_WORLD, &survivors);
  const int everybody_commits = agreed(survivors, commits), nobody_commits = agreed(survivors, !commits);
  assert(everybody_commits || nobody_commits);
  MPI_Comm_free(&survivors);
  MPI_Finalize();
  return 0;
}
