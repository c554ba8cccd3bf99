// SPDX-License-Identifier: MIT
//
// With MPI_THREAD_FUNNELED, a thread communicates that did not call MPI_Init_thread.
// check: thread.level
// compile: -pthread
#include <mpi.h>
#include <pthread.h>

static void *work(void *value) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);  // <- here
  if (rank == 0)
    MPI_Send(value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  else
    MPI_Recv(value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return NULL;
}

int main(int argc, char **argv) {
  int value = 1, provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  pthread_t thread;
  pthread_create(&thread, NULL, work, &value);
  pthread_join(thread, NULL);
  MPI_Finalize();
  return 0;
}
