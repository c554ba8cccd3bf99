// SPDX-License-Identifier: MIT
//
// The thread waits for a value that the other one gives it only when it has ended.
// check: thread.deadlock
// compile: -pthread
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t is_ready;

static void *wait(void *nothing) {
  sem_wait(&is_ready);
  return nothing;
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  sem_init(&is_ready, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, wait, NULL);
  pthread_join(thread, NULL);  // <- here
  sem_post(&is_ready);
  MPI_Finalize();
  return 0;
}
