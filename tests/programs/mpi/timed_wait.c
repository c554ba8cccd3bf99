// SPDX-License-Identifier: MIT
//
// Waiting for a condition for some time, without anybody who could signal it: the time ends it, and it is the rank's.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>
#include <threads.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static struct timespec in_seconds(clockid_t clock, int seconds) {
  struct timespec date;
  clock_gettime(clock, &date);
  date.tv_sec += seconds;
  return date;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const double begin = MPI_Wtime();

  pthread_mutex_lock(&mutex);
  struct timespec until = in_seconds(CLOCK_REALTIME, 2000);
  assert(pthread_cond_timedwait(&condition, &mutex, &until) == ETIMEDOUT);
  until = in_seconds(CLOCK_MONOTONIC, 3000);
  assert(pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &until) == ETIMEDOUT);
  pthread_mutex_unlock(&mutex);

  pthread_condattr_t monotonic;
  pthread_cond_t other;
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(&other, &monotonic);
  pthread_mutex_lock(&mutex);
  until = in_seconds(CLOCK_MONOTONIC, 4000);
  assert(pthread_cond_timedwait(&other, &mutex, &until) == ETIMEDOUT);
  pthread_mutex_unlock(&mutex);

  mtx_t plain;
  cnd_t plain_condition;
  mtx_init(&plain, mtx_plain);
  cnd_init(&plain_condition);
  assert(mtx_lock(&plain) == thrd_success);
  assert(mtx_trylock(&plain) == thrd_busy);
  until = in_seconds(CLOCK_REALTIME, 1000);
  assert(cnd_timedwait(&plain_condition, &plain, &until) == thrd_timedout);
  assert(mtx_unlock(&plain) == thrd_success);

  const double passed = MPI_Wtime() - begin;
  assert(passed > 9999.9 && passed < 10000.1);
  MPI_Finalize();
  return 0;
}
