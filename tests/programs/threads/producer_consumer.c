// SPDX-License-Identifier: MIT
//
// A bounded queue between threads of a rank, with conditions; the consumer passes the values on to the next rank.
// flags: -pthread
// ranks: 3
#include <assert.h>
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

enum { room = 3, values = 20 };
static int queue[room], first, length;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;

static void put(int value) {
  pthread_mutex_lock(&mutex);
  while (length == room) pthread_cond_wait(&not_full, &mutex);
  queue[(first + length++) % room] = value;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&mutex);
}

static int take(void) {
  pthread_mutex_lock(&mutex);
  while (length == 0) pthread_cond_wait(&not_empty, &mutex);
  const int value = queue[first];
  first = (first + 1) % room, --length;
  pthread_cond_broadcast(&not_full);
  pthread_mutex_unlock(&mutex);
  return value;
}

static void *produce(void *from) {
  for (int i = 0; i < values; ++i) put(*(int *)from + i);
  return from;
}

// MPI_THREAD_SERIALIZED: it makes all calls until it ends.
static void *pass_on(void *received) {
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < 2 * values; ++i) {
    int value = take(), other;
    MPI_Sendrecv(&value, 1, MPI_INT, (rank + 1) % ranks, 0, &other, 1, MPI_INT, (rank + ranks - 1) % ranks, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    *(int *)received += other;
  }
  return NULL;
}

int main(void) {
  int provided, starts[2] = {100, 1000}, received = 0, is_main;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
  pthread_t consumer, producers[2];
  pthread_create(&consumer, NULL, pass_on, &received);
  for (int i = 0; i < 2; ++i) pthread_create(&producers[i], NULL, produce, &starts[i]);
  for (int i = 0; i < 2; ++i) {
    void *result;
    assert(pthread_join(producers[i], &result) == 0 && result == &starts[i]);
  }
  pthread_join(consumer, NULL);
  assert(received == 20 * 1100 + 2 * 190);
  MPI_Is_thread_main(&is_main);
  assert(is_main);
  MPI_Finalize();
  return 0;
}
