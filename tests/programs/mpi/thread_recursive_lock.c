// SPDX-License-Identifier: MIT
//
// The creator holds a recursive mutex: the thread has to wait for it, and does not find it half done what it guards.
// check: inconclusive
#define _GNU_SOURCE
#include <assert.h>
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex;
static int left = 1, right = 1;

static void *look(void *nothing) {
  pthread_mutex_lock(&mutex);
  assert(left == right);
  pthread_mutex_unlock(&mutex);
  return nothing;
}

int main(int argc, char **argv) {
  int provided;
  pthread_t thread;
  pthread_mutexattr_t recursive;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &recursive);
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  left = 2;
  pthread_create(&thread, NULL, look, NULL);
  right = 2;
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  MPI_Finalize();
  return 0;
}
