// SPDX-License-Identifier: MIT
//
// The value is there before the one who needs it waits for it.
// check: none
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
  sem_post(&is_ready);
  wait(NULL);
  MPI_Finalize();
  return 0;
}
