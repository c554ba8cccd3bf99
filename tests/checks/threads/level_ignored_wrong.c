// SPDX-License-Identifier: MIT
//
// MPI_THREAD_SERIALIZED is not asked for, but another thread finalizes MPI.
// check: thread.level
// ranks: 1
// compile: -pthread
#include <mpi.h>
#include <pthread.h>

static void *finish(void *nothing) {
  MPI_Finalize();  // <- here
  return nothing;
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  pthread_t thread;
  pthread_create(&thread, NULL, finish, NULL);
  pthread_join(thread, NULL);
  return 0;
}
