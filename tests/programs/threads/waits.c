// SPDX-License-Identifier: MIT
//
// Barriers, semaphores, locks for readers and writers, one initialisation, keys with destructors, limits of time, ends.
// flags: -pthread
// ranks: 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

enum { threads = 4, rounds = 5 };
static pthread_barrier_t barrier;
static sem_t semaphore, started;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, checking;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_key_t key;
static int arrived, initialised, destroyed, readers, serial;
static _Thread_local int own = 5;

static void initialise(void) { ++initialised; }
static void destroy(void *value) { destroyed += *(int *)value; }

static void *work(void *argument) {
  int value = 3;
  assert(own == 5 && errno == 0 && pthread_getspecific(key) == NULL);
  own = errno = *(int *)argument;
  pthread_setspecific(key, &value);
  pthread_once(&once, initialise);
  for (int round = 0; round < rounds; ++round) {
    ++arrived;
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) ++serial;
    assert(arrived == threads * (round + 1));
    pthread_barrier_wait(&barrier);
  }
  sem_wait(&semaphore);
  pthread_rwlock_rdlock(&lock);
  ++readers;
  sched_yield();
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_wrlock(&lock);
  const int seen = readers;
  sched_yield();
  assert(readers == seen);
  pthread_rwlock_unlock(&lock);
  sem_post(&semaphore);
  assert(own == *(int *)argument && errno == own);
  pthread_exit(argument);
}

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void *sleep_long(void *nothing) {
  assert(pthread_mutex_lock(&checking) == 0 && pthread_mutex_lock(&checking) == EDEADLK);
  sem_post(&started);
  usleep(200000);
  pthread_mutex_unlock(&checking);
  return nothing;
}

// Sleeps of threads pass side by side, and limits of time are dates of simulated time.
static void limits(void) {
  pthread_t sleepers[2];
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checking, &attributes);
  const double begin = now(CLOCK_MONOTONIC);
  pthread_create(&sleepers[0], NULL, sleep_long, NULL);
  sem_wait(&started);
  assert(pthread_mutex_trylock(&checking) == EBUSY && pthread_mutex_unlock(&checking) == EPERM);
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 50000000;
  if (until.tv_nsec >= 1000000000) until.tv_nsec -= 1000000000, ++until.tv_sec;
  pthread_mutex_lock(&mutex);
  assert(pthread_cond_timedwait(&condition, &mutex, &until) == ETIMEDOUT);
  pthread_mutex_unlock(&mutex);
  assert(now(CLOCK_MONOTONIC) - begin > 0.049 && now(CLOCK_MONOTONIC) - begin < 0.15);
  assert(sem_timedwait(&started, &until) == -1 && errno == ETIMEDOUT);
  assert(pthread_mutex_lock(&checking) == 0 && pthread_mutex_unlock(&checking) == 0);
  assert(now(CLOCK_MONOTONIC) - begin > 0.199 && now(CLOCK_MONOTONIC) - begin < 0.25);
  pthread_create(&sleepers[1], NULL, sleep_long, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(sleepers[i], NULL);
  assert(now(CLOCK_MONOTONIC) - begin > 0.399 && now(CLOCK_MONOTONIC) - begin < 0.45);
}

static void *count(void *counter) {
  usleep(1000);
  ++*(int *)counter;
  return NULL;
}

int main(void) {
  pthread_t all[threads];
  int numbers[threads] = {11, 12, 13, 14}, detached = 0;
  MPI_Init(NULL, NULL);
  errno = 0;
  pthread_key_create(&key, destroy);
  pthread_barrier_init(&barrier, NULL, threads);
  sem_init(&semaphore, 0, 0);
  sem_init(&started, 0, 0);
  for (int i = 0; i < threads; ++i) pthread_create(&all[i], NULL, work, &numbers[i]);
  sem_post(&semaphore);
  for (int i = 0; i < threads; ++i) {
    void *result;
    assert(pthread_join(all[i], &result) == 0 && result == &numbers[i]);
  }
  assert(initialised == 1 && destroyed == 3 * threads && readers == threads && serial == rounds && own == 5);
  limits();
  pthread_t free_one;
  pthread_create(&free_one, NULL, count, &detached);
  pthread_detach(free_one);
  usleep(5000);
  assert(detached == 1);
  MPI_Finalize();
  return 0;
}
