// SPDX-License-Identifier: MIT
//
// A rank leaves the pipeline for the repair and does not revoke its communicator: the next one waits for its message.
// check: deadlock.cycle
// options: --failures 1
// ranks: 3
#include <mpi-ext.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, token = 0, error = MPI_SUCCESS;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (rank > 0) error = MPI_Recv(&token, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // <- here
  if (error == MPI_SUCCESS && rank + 1 < size) error = MPI_Send(&token, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
  MPI_Comm survivors;
  MPIX_Comm_shrink(MPI_COMM_WORLD, &survivors);
  MPI_Comm_free(&survivors);
  MPI_Finalize();
  return 0;
}
