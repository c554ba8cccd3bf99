// SPDX-License-Identifier: MIT
//
// A master gives tasks to the workers that are free, and adds up the results. The program is correct for every order of
// answers, and `rehearse check` verifies it. Argument: the number of tasks (4).
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { tag_task, tag_stop };

static int work(int task) { return task * task; }

static void be_worker(void) {
  for (;;) {
    int task, result;
    MPI_Status status;
    MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == tag_stop) return;
    result = work(task);
    MPI_Send(&result, 1, MPI_INT, 0, tag_task, MPI_COMM_WORLD);
  }
}

static int be_master(int workers, int tasks) {
  int given = 0, sum = 0, result;
  MPI_Status status;
  for (int worker = 1; worker <= workers && given < tasks; ++worker, ++given) {
    MPI_Send(&given, 1, MPI_INT, worker, tag_task, MPI_COMM_WORLD);
  }
  for (int done = 0; done < tasks; ++done) {
    MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, tag_task, MPI_COMM_WORLD, &status);
    sum += result;
    if (given < tasks) {
      MPI_Send(&given, 1, MPI_INT, status.MPI_SOURCE, tag_task, MPI_COMM_WORLD);
      ++given;
    }
  }
  for (int worker = 1; worker <= workers; ++worker) {
    MPI_Send(&given, 1, MPI_INT, worker, tag_stop, MPI_COMM_WORLD);
  }
  return sum;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int tasks = argc > 1 ? atoi(argv[1]) : 4;

  if (rank == 0) {
    const int sum = be_master(size - 1, tasks);
    assert(sum == (tasks - 1) * tasks * (2 * tasks - 1) / 6);
    printf("the sum of %d squares is %d\n", tasks, sum);
  } else {
    be_worker();
  }

  MPI_Finalize();
  return 0;
}
