// SPDX-License-Identifier: MIT
//
// Correct, but each worker has a fixed share of the tasks, and some shares take longer.
#include <mpi.h>

int work(int task);

void farm(int tasks, int* results, MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int task = 0; task < tasks; ++task) {
    const int worker = 1 + task % (size - 1);
    if (rank == worker) {
      const int result = work(task);
      MPI_Send(&result, 1, MPI_INT, 0, task, comm);
    } else if (rank == 0) {
      MPI_Recv(&results[task], 1, MPI_INT, worker, task, comm, MPI_STATUS_IGNORE);
    }
  }
}
