// SPDX-License-Identifier: MIT
//
// Another thread than that of MPI_Init calls MPI.
#include <mpi.h>
#include <pthread.h>

static void* exchange(void* unused) {
  int rank, other, value = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  MPI_Sendrecv(&rank, 1, MPI_INT, other, 0, &value, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return unused;
}

int main(int argc, char** argv) {
  int provided;
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  pthread_create(&thread, NULL, exchange, NULL);
  pthread_join(thread, NULL);
  MPI_Finalize();
  return 0;
}
