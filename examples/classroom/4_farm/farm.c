// SPDX-License-Identifier: MIT
//
// A farm: the master, rank 0, gives tasks to free workers. The program has an error. The task is in README.md.
#include <mpi.h>

enum { tag_task, tag_stop };

int work(int task);  // exists already

static void be_worker(MPI_Comm comm) {
  for (;;) {
    int task, result;
    MPI_Status status;
    MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, comm, &status);
    if (status.MPI_TAG == tag_stop) return;
    result = work(task);
    MPI_Send(&result, 1, MPI_INT, 0, tag_task, comm);
  }
}

// results[t] is the result of task t, on rank 0.
void farm(int tasks, int* results, MPI_Comm comm) {
  int rank, size, given = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  if (rank != 0) {
    be_worker(comm);
    return;
  }
  for (int worker = 1; worker < size && given < tasks; ++worker, ++given) {
    MPI_Send(&given, 1, MPI_INT, worker, tag_task, comm);
  }
  for (int done = 0; done < tasks; ++done) {
    MPI_Status status;
    MPI_Recv(&results[done], 1, MPI_INT, MPI_ANY_SOURCE, tag_task, comm, &status);
    if (given < tasks) {
      MPI_Send(&given, 1, MPI_INT, status.MPI_SOURCE, tag_task, comm);
      ++given;
    }
  }
  for (int worker = 1; worker < size; ++worker) {
    MPI_Send(&given, 1, MPI_INT, worker, tag_stop, comm);
  }
}
