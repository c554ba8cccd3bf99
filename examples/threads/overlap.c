// SPDX-License-Identifier: MIT
//
// One thread of each rank computes, another one exchanges messages with the other rank meanwhile.
#include <mpi.h>
#include <pthread.h>
#include <rehearse.h>
#include <stdio.h>

static int rank;

static void *exchange(void *nothing) {
  int in, out = 0;
  for (int i = 0; i < 100; ++i)
    MPI_Sendrecv(&out, 1, MPI_INT, 1 - rank, 0, &in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return nothing;
}

int main(int argc, char **argv) {
  int provided;
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const double begin = MPI_Wtime();
  pthread_create(&thread, NULL, exchange, NULL);
  rehearse_compute_for(0.2);
  const double computed = MPI_Wtime() - begin;
  pthread_join(thread, NULL);
  if (rank == 0) printf("computation %.2f s, both %.2f s\n", computed, MPI_Wtime() - begin);
  MPI_Finalize();
  return 0;
}
