// SPDX-License-Identifier: MIT
//
// As thread_that_waits.c, but the thread lets others go first.
// check: inconclusive
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

static volatile int is_over;

static void *look(void *nothing) {
  while (!is_over) sched_yield();
  return nothing;
}

int main(int argc, char **argv) {
  int provided;
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  pthread_create(&thread, NULL, look, NULL);
  MPI_Barrier(MPI_COMM_WORLD);
  is_over = 1;
  pthread_join(thread, NULL);
  MPI_Finalize();
  return 0;
}
