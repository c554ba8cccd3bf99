// SPDX-License-Identifier: MIT
//
// A thread that looks again and again, with a sleep, whether it may end: others run while it sleeps.
// check: inconclusive
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static volatile int is_over;

static void *look(void *nothing) {
  while (!is_over) usleep(10);
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
