// SPDX-License-Identifier: MIT
//
// As thread_that_waits.c, but with a condition and a limit of time, again and again.
// check: inconclusive
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int is_over;

static void *look(void *nothing) {
  pthread_mutex_lock(&mutex);
  while (!is_over) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += 1;
    pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &until);
  }
  pthread_mutex_unlock(&mutex);
  return nothing;
}

int main(int argc, char **argv) {
  int provided;
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  pthread_create(&thread, NULL, look, NULL);
  MPI_Barrier(MPI_COMM_WORLD);
  pthread_mutex_lock(&mutex);
  is_over = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  MPI_Finalize();
  return 0;
}
