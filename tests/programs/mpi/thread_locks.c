// SPDX-License-Identifier: MIT
//
// Locks that a thread finds free, and attempts at one that its creator holds: nobody has to wait. Other orders of the
// threads are left out, so nothing is verified.
// check: inconclusive
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_mutex_t recursive, held;
static sem_t tokens;

static void *use(void *nothing) {
  struct timespec soon = {1, 0};
  assert(pthread_mutex_trylock(&held) == EBUSY);
  assert(pthread_mutex_unlock(&held) == EPERM);
  assert(pthread_mutex_lock(&recursive) == 0);
  assert(pthread_mutex_trylock(&recursive) == 0);
  assert(pthread_mutex_timedlock(&recursive, &soon) == 0);
  for (int i = 0; i < 3; ++i) assert(pthread_mutex_unlock(&recursive) == 0);
  assert(sem_timedwait(&tokens, &soon) == 0);
  return nothing;
}

int main(int argc, char **argv) {
  int provided;
  pthread_t thread;
  pthread_mutexattr_t attributes;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&recursive, &attributes);
  pthread_mutex_init(&held, &attributes);
  sem_init(&tokens, 0, 1);
  assert(pthread_mutex_lock(&held) == 0);
  assert(pthread_create(&thread, NULL, use, NULL) == 0);
  assert(pthread_mutex_unlock(&held) == 0);
  assert(pthread_mutex_trylock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == 0);
  assert(pthread_tryjoin_np(thread, NULL) == 0);
  MPI_Finalize();
  return 0;
}
