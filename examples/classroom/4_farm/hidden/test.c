// SPDX-License-Identifier: MIT
//
// Every third task takes ten times as long as the others.
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void farm(int tasks, int* results, MPI_Comm comm);

int work(int task) {
  usleep(task % 3 == 0 ? 100000 : 10000);
  return task * task;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int tasks = argc > 1 ? atoi(argv[1]) : 6;
  int rank, *results = calloc(tasks + 1, sizeof *results);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  farm(tasks, results, MPI_COMM_WORLD);
  for (int task = 0; rank == 0 && task < tasks; ++task) {
    printf("%d%s", results[task], task + 1 < tasks ? " " : "\n");
    assert(results[task] == task * task);
  }
  free(results);
  MPI_Finalize();
  return 0;
}
