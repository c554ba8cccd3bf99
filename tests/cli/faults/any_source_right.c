// SPDX-License-Identifier: MIT
//
// The master waits for each worker until it has its answer or has acknowledged its failure.
#include <mpi-ext.h>

enum { most = 8 };

static int is_open(const int* done, int size) {
  for (int worker = 1; worker < size; ++worker)
    if (!done[worker]) return 1;
  return 0;
}

static void strike_out_failed(int* done, int size) {
  MPI_Group failed, all;
  MPIX_Comm_failure_ack(MPI_COMM_WORLD);
  MPIX_Comm_failure_get_acked(MPI_COMM_WORLD, &failed);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  for (int worker = 1; worker < size; ++worker) {
    int place;
    MPI_Group_translate_ranks(all, 1, &worker, failed, &place);
    if (place != MPI_UNDEFINED) done[worker] = 1;
  }
  MPI_Group_free(&all);
  if (failed != MPI_GROUP_EMPTY) MPI_Group_free(&failed);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, answer = 1, done[most] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (rank == 0) {
    while (is_open(done, size)) {
      MPI_Status status;
      if (MPI_Recv(&answer, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status) == MPI_SUCCESS)
        done[status.MPI_SOURCE] = 1;
      else strike_out_failed(done, size);
    }
  } else if (MPI_Send(&answer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD) != MPI_SUCCESS) {
    answer = 0;
  }
  MPI_Finalize();
  return 0;
}
