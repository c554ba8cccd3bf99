// SPDX-License-Identifier: MIT
//
// The master counts answers and failures together. A worker that answers and fails afterwards counts twice, so the
// master ends too early, and another worker waits for it.
#include <mpi-ext.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, answer = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (rank == 0) {
    int answers = 0, failures = 0;
    while (answers + failures < size - 1) {
      if (MPI_Recv(&answer, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS) {
        ++answers;
        continue;
      }
      MPI_Group failed;
      MPIX_Comm_failure_ack(MPI_COMM_WORLD);
      MPIX_Comm_failure_get_acked(MPI_COMM_WORLD, &failed);
      MPI_Group_size(failed, &failures);
      if (failed != MPI_GROUP_EMPTY) MPI_Group_free(&failed);
    }
  } else if (MPI_Send(&answer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD) != MPI_SUCCESS) {  // <- here
    answer = 0;
  }
  MPI_Finalize();
  return 0;
}
